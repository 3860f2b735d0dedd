import type { OperatorAct, OperatorAction } from '../../domain/operator-acts';
import type { Page } from './page';

export type NewOperatorAct = Omit<OperatorAct, 'id'>;

/** An act is listed if it has all the values that are given, and if `since <= at < until`. */
export interface OperatorLogFilter {
  operator?: string;
  action?: OperatorAction;
  target?: string;
  since?: number;
  until?: number;
}

export interface OperatorLogReader {
  /** The newest acts come first (id descending); with an `action`, only acts of that action, and so on. */
  list(query: Page & OperatorLogFilter): Promise<OperatorAct[]>;
}
export interface OperatorLogRepository extends OperatorLogReader {
  /** Gives the act a higher id than all acts that were committed before. */
  append(act: NewOperatorAct): Promise<void>;
}
