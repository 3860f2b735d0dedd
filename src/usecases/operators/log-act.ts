import type { OperatorAct } from '../../domain/operator-acts';
import type { Transaction } from '../../ports/storage';
import type { OperatorContext } from '../context';

/**
 * Writes one row of the operators' log in the transaction of the change, so that there is no change without its
 * row and no row without its change.
 */
export function logAct(
  { clock, operator }: Pick<OperatorContext, 'clock' | 'operator'>,
  transaction: Transaction,
  act: Pick<OperatorAct, 'action' | 'target'> & Partial<Pick<OperatorAct, 'details'>>,
): Promise<void> {
  const { action, target, details = {} } = act;
  return transaction.operatorLog.append({ at: clock.now(), operator, action, target, details });
}
