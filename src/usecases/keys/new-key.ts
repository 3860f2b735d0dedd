import { apiKeyPrefix, generateApiKey, hashApiKey } from '../../crypto/api-key';
import { PredictionMarketError } from '../../domain/errors';
import { walletAccount } from '../../domain/ledger';
import type { Address, ApiKey } from '../../domain/types';
import type { Transaction } from '../../ports/storage';
import type { IssuedKeyView } from '../../views/key';
import type { Context } from '../context';

/** The most active keys of a wallet (docs/specification.md "Managing keys"). */
export const LARGEST_KEY_COUNT = 5;

/**
 * Locks the wallet's account until the transaction ends, so that the wallet's new keys are made one after
 * another, and their number does not exceed `LARGEST_KEY_COUNT`.
 */
export async function lockWallet(transaction: Transaction, wallet: Address, now: number): Promise<void> {
  await transaction.accounts.lock([walletAccount(wallet)], now);
}

/** Stores a new key. Only the answer contains the raw key. The caller has locked the wallet. */
export async function insertKey(
  { random, clock }: Context,
  transaction: Transaction,
  owned: Pick<ApiKey, 'wallet' | 'label' | 'scopes' | 'rateLimit' | 'windowOf'>,
): Promise<IssuedKeyView> {
  const raw = generateApiKey(random);
  const key = await transaction.apiKeys.insert({
    ...owned,
    hash: hashApiKey(raw),
    prefix: apiKeyPrefix(raw),
    createdAt: clock.now(),
    lastUsedAt: null,
    revokedAt: null,
  });
  return {
    id: key.id,
    apiKey: raw,
    prefix: key.prefix,
    label: key.label,
    rateLimit: key.rateLimit,
    scopes: key.scopes,
    createdAt: new Date(key.createdAt).toISOString(),
    note: 'Store this key now: it is shown only once and cannot be retrieved again.',
  };
}

/** The refusal for an operator, who can manage the keys of every wallet. */
export function noActiveKey(id: number): PredictionMarketError {
  return new PredictionMarketError('KEY_NOT_FOUND', `There is no active key ${id}`);
}

/** The refusal for a wallet. It does not tell whether another wallet has the key. */
export function keyNotFound(): PredictionMarketError {
  return new PredictionMarketError('KEY_NOT_FOUND', 'Key not found or not owned by this wallet');
}
