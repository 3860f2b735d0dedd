import type { ActDetails, OperatorAct, OperatorAction } from '../domain/operator-acts';
import { isoTime } from './format';

export interface OperatorActView {
  /** The number of the act. */
  id: number;
  /** When the operator acted, ISO 8601. */
  at: string;
  /** The name that the host gave the operator. */
  operator: string;
  /** What the operator did. */
  action: OperatorAction;
  /** The wallet, the id or the name of what was changed. */
  target: string;
  /** The question of the market that was changed; null if something else was changed. */
  question: string | null;
  /** Details of the act, such as its reason or its amount. */
  details: ActDetails;
}

export interface OperatorLogView {
  acts: OperatorActView[];
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
  offset: number;
  /** Whether more rows follow this page. */
  hasMore: boolean;
}

export function operatorActView(
  { id, at, operator, action, target, details }: OperatorAct,
  question: string | null,
): OperatorActView {
  return { id, at: isoTime(at), operator, action, target, question, details };
}
