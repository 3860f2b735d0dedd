import { walletAccount } from '../../domain/ledger';
import { accountView, NO_FUNDS, type AccountView } from '../../views/account';
import type { AddressCommand } from '../commands';
import type { Context } from '../context';

/** The money of a wallet. All figures are zero for a wallet that never had money. */
export async function getAccount(context: Context, { address }: AddressCommand): Promise<AccountView> {
  const account = await context.storage.read((reader) => reader.accounts.find(walletAccount(address)));
  return accountView(address, account ?? NO_FUNDS);
}
