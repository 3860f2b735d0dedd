import type { Account, Address } from '../domain/types';
import { checksumAddress, isoTime, usd } from './format';

export interface BalanceView {
  address: string;
  currency: 'USDC';
  balance: number;
  reserved: number;
  available: number;
  positionsValue: number;
  updatedAt: string;
}

export interface AccountView {
  address: string;
  balance: number;
  reserved: number;
  available: number;
}

export interface DepositView extends AccountView {
  amount: number;
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
