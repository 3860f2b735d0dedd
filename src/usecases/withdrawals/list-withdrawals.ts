import { PredictionMarketError } from '../../domain/errors';
import {
  operatorWithdrawalView,
  withdrawalView,
  type OperatorWithdrawalListView,
  type WithdrawalListView,
  type WithdrawalView,
} from '../../views/withdrawal';
import type {
  GetWithdrawalCommand,
  ListWithdrawalsAsOperatorCommand,
  ListWithdrawalsCommand,
} from '../commands';
import type { Context } from '../context';

export async function listWithdrawals(
  { storage }: Context,
  { wallet, limit, offset }: ListWithdrawalsCommand,
): Promise<WithdrawalListView> {
  const { withdrawals, total } = await storage.snapshot((reader) =>
    reader.withdrawals.list({ wallet, limit, offset }),
  );
  return { withdrawals: withdrawals.map(withdrawalView), total, limit, offset };
}

export async function listWithdrawalsAsOperator(
  { storage }: Context,
  { address: wallet, limit, offset }: ListWithdrawalsAsOperatorCommand,
): Promise<OperatorWithdrawalListView> {
  const { withdrawals, total } = await storage.snapshot((reader) =>
    reader.withdrawals.list({ wallet, limit, offset }),
  );
  return { withdrawals: withdrawals.map(operatorWithdrawalView), total, limit, offset };
}

/**
 * Rejects with the same NOT_FOUND for an unknown id and for the id of another wallet's withdrawal, so a caller
 * cannot find out which ids exist.
 */
export async function getWithdrawal(
  { storage }: Context,
  { wallet, id }: GetWithdrawalCommand,
): Promise<WithdrawalView> {
  const found = id === null ? null : await storage.read((reader) => reader.withdrawals.find(id));
  if (found === null || found.wallet !== wallet)
    throw new PredictionMarketError('NOT_FOUND', 'No such withdrawal of this wallet');
  return withdrawalView(found);
}
