import type { OperatorAct, OperatorAction } from '../../domain/operator-acts';
import type { Page } from './page';

export type NewOperatorAct = Omit<OperatorAct, 'id'>;

export interface OperatorLogReader {
  /** The newest acts come first (id descending); with an `action`, only acts of that action. */
  list(query: Page & { action?: OperatorAction }): Promise<OperatorAct[]>;
}
export interface OperatorLogRepository extends OperatorLogReader {
  /** Gives the act a higher id than all acts that were committed before. */
  append(act: NewOperatorAct): Promise<void>;
}
