import type { ActDetails, OperatorAct, OperatorAction } from '../domain/operator-acts';
import { isoTime } from './format';

export interface OperatorActView {
  id: number;
  at: string;
  operator: string;
  action: OperatorAction;
  /** The wallet, the id or the name of what was changed. */
  target: string;
  /** The question of the market that was changed; `null` for an act on something else. */
  question: string | null;
  details: ActDetails;
}

export interface OperatorLogView {
  acts: OperatorActView[];
  limit: number;
  offset: number;
  hasMore: boolean;
}

export function operatorActView(
  { id, at, operator, action, target, details }: OperatorAct,
  question: string | null,
): OperatorActView {
  return { id, at: isoTime(at), operator, action, target, question, details };
}
