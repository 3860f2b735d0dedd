import { walletAccount } from '../../domain/ledger';
import type { TradeRules } from '../../domain/trade';
import type { Address } from '../../domain/types';
import type { PositionRecord, Reader } from '../../ports/storage';
import { balanceView, NO_FUNDS, type BalanceView } from '../../views/account';
import { positionValue } from '../../views/position';
import type { WalletCommand } from '../commands';
import type { Context } from '../context';

const PAGE = 1000;

export async function getBalance(context: Context, { wallet }: WalletCommand): Promise<BalanceView> {
  const rules = { pricing: context.pricing, feeBasisPoints: context.config.creatorFeeBasisPoints };
  return context.storage.snapshot(async (reader) => {
    const account = await reader.accounts.find(walletAccount(wallet));
    const value =
      account === null || account.openPositions === 0 ? 0n : await positionsValue(reader, wallet, rules);
    return balanceView(wallet, account ?? NO_FUNDS, value, account?.updatedAt ?? context.clock.now());
  });
}

/** The value of the open positions. They are read page by page, because there may be very many. */
async function positionsValue(reader: Reader, wallet: Address, rules: TradeRules): Promise<bigint> {
  let sum = 0n;
  for (let after: PositionRecord | null = null; ;) {
    const positions: PositionRecord[] = await reader.positions.listOpenAfter({ wallet, after, limit: PAGE });
    for (const position of positions) sum += positionValue(position, position.market, rules);
    if (positions.length < PAGE) return sum;
    after = positions.at(-1) ?? null;
  }
}
