/** The operators' log: what operators have changed. */
import type { ActDetails, OperatorAct, OperatorAction } from '../domain/operator-acts';
import { isoTime } from './format';

export interface OperatorActView {
  id: number;
  at: string;
  operator: string;
  action: OperatorAction;
  /** The wallet, the id or the name of what was changed. */
  target: string;
  details: ActDetails;
}

export interface OperatorLogView {
  acts: OperatorActView[];
  limit: number;
  offset: number;
  hasMore: boolean;
}

export function operatorActView({ id, at, operator, action, target, details }: OperatorAct): OperatorActView {
  return { id, at: isoTime(at), operator, action, target, details };
}
