import { paymentOfDeposit } from '../../domain/paid-deposits';
import type { Address, Deposit } from '../../domain/types';
import type { Page, Reader } from '../../ports/storage';
import {
  creditView,
  operatorCreditView,
  type CreditListView,
  type OperatorCreditListView,
  type PaidDeposit,
} from '../../views/credit';
import type { ListDepositsAsOperatorCommand, ListDepositsCommand } from '../commands';
import type { Context } from '../context';

/** One page of the deposits of a wallet. There is no total, because no counter exists for deposits. */
export async function listDeposits(context: Context, command: ListDepositsCommand): Promise<CreditListView> {
  const { deposits, ...page } = await readDeposits(context, command.wallet, command);
  return { deposits: deposits.map(creditView), ...page };
}

/** The same page with the references. */
export async function listDepositsAsOperator(
  context: Context,
  command: ListDepositsAsOperatorCommand,
): Promise<OperatorCreditListView> {
  const { deposits, ...page } = await readDeposits(context, command.address, command);
  return { deposits: deposits.map(operatorCreditView), ...page };
}

async function readDeposits(
  { storage }: Context,
  wallet: Address,
  { limit, offset }: Page,
): Promise<Page & { deposits: PaidDeposit[]; hasMore: boolean }> {
  return storage.read(async (reader) => {
    const found = await reader.deposits.list({ wallet, limit: limit + 1, offset });
    const deposits = await Promise.all(
      found.slice(0, limit).map((deposit) => withTransaction(reader, deposit)),
    );
    return { deposits, limit, offset, hasMore: found.length > limit };
  });
}

async function withTransaction(reader: Reader, deposit: Deposit): Promise<PaidDeposit> {
  const key = paymentOfDeposit(deposit.reference);
  const payment = key === null ? null : await reader.payments.find(key);
  return { ...deposit, transaction: payment?.transaction ?? null };
}
