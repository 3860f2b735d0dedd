import { walletTradeView, type WalletHistoryView } from '../../views/trade';
import type { ListWalletHistoryCommand } from '../commands';
import type { Context } from '../context';

export async function listWalletHistory(
  context: Context,
  command: ListWalletHistoryCommand,
): Promise<WalletHistoryView> {
  const { limit, offset } = command;
  const page = await context.storage.read((reader) => reader.trades.listByWallet(command));
  return { trades: page.trades.map(walletTradeView), total: page.total, limit, offset };
}
