import type { Account, Address } from '../domain/types';
import { checksumAddress, isoTime, usd } from './format';

export interface BalanceView {
  /** EVM address in EIP-55 form. */
  address: string;
  currency: 'USDC';
  /** Money of the wallet, USD. */
  balance: number;
  /** The part held back for withdrawals, USD. */
  reserved: number;
  /** balance - reserved, USD. */
  available: number;
  /** Net proceeds of selling every open position now, USD. */
  positionsValue: number;
  /** When the balance last changed, ISO 8601. */
  updatedAt: string;
}

export interface AccountView {
  /** EVM address in EIP-55 form. */
  address: string;
  /** Money of the wallet, USD. */
  balance: number;
  /** The part held back for withdrawals, USD. */
  reserved: number;
  /** balance - reserved, USD. */
  available: number;
}

export interface DepositView extends AccountView {
  /** What was credited, USD. */
  amount: number;
  /** The text by which the operator credited the money; each text is credited once. */
  reference: string;
}

/** The money of a wallet. A wallet that never had money shows zeros. */
export type Funds = Pick<Account, 'balance' | 'reserved'>;
export const NO_FUNDS: Funds = { balance: 0n, reserved: 0n };

export function accountView(wallet: Address, { balance, reserved }: Funds): AccountView {
  return {
    address: checksumAddress(wallet),
    balance: usd(balance),
    reserved: usd(reserved),
    available: usd(balance - reserved),
  };
}

export function balanceView(
  wallet: Address,
  { balance, reserved }: Funds,
  positionsValue: bigint,
  updatedAt: number,
): BalanceView {
  return {
    address: checksumAddress(wallet),
    currency: 'USDC',
    balance: usd(balance),
    reserved: usd(reserved),
    available: usd(balance - reserved),
    positionsValue: usd(positionsValue),
    updatedAt: isoTime(updatedAt),
  };
}

export function depositView(
  wallet: Address,
  funds: Funds,
  { amount, reference }: { amount: bigint; reference: string },
): DepositView {
  return Object.assign(accountView(wallet, funds), { amount: usd(amount), reference });
}
