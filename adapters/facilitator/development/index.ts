/** Play money with real signatures: what a payer signs is checked as on the chain, what is paid is imaginary. */
import type {
  Facilitator,
  LookupResult,
  PaymentAuthorization,
  PaymentRequirements,
  SettleResult,
  SupportedKind,
  VerifyResult,
} from '../../../src/ports/facilitator';
import { systemClock, type Clock } from '../../../src/ports/clock';
import { authorizationFault } from '../authorization-fault';
import { createHash } from 'node:crypto';

export interface DevelopmentFacilitatorOptions {
  /** What every wallet starts with, in USDC base units; default 1,000 USDC. */
  startingBalance?: bigint;
  clock?: Clock;
}

/**
 * Keeps balances and used nonces in this process. `verify` checks what the token contract would (EIP-3009): signature, recipient,
 * amount, window, nonce, balance.
 */
export function developmentFacilitator(options: DevelopmentFacilitatorOptions = {}): Facilitator {
  const startingBalance = options.startingBalance ?? 1_000_000_000n;
  const clock = options.clock ?? systemClock;
  const spent = new Map<string, bigint>();
  const settled = new Map<string, string>();

  const nonceKey = ({ from, nonce }: PaymentAuthorization, { asset }: PaymentRequirements): string =>
    [asset, from, nonce].join(':').toLowerCase();

  function check(authorization: PaymentAuthorization, requirements: PaymentRequirements): VerifyResult {
    const fault = authorizationFault(authorization, requirements, clock.now());
    if (fault !== null) return { status: 'invalid', reason: fault };
    if (settled.has(nonceKey(authorization, requirements)))
      return { status: 'spent', reason: 'nonce_already_used' };
    const left = startingBalance - (spent.get(authorization.from.toLowerCase()) ?? 0n);
    return left < BigInt(authorization.value) ? { status: 'insufficient_funds' } : { status: 'valid' };
  }

  function settle(authorization: PaymentAuthorization, requirements: PaymentRequirements): SettleResult {
    const verified = check(authorization, requirements);
    if (verified.status !== 'valid') return verified;
    const key = nonceKey(authorization, requirements);
    const payer = authorization.from.toLowerCase();
    const transaction = `0x${createHash('sha256').update(key).digest('hex')}`;
    spent.set(payer, (spent.get(payer) ?? 0n) + BigInt(authorization.value));
    settled.set(key, transaction);
    return { status: 'settled', transaction };
  }

  function lookup(authorization: PaymentAuthorization, requirements: PaymentRequirements): LookupResult {
    const transaction = settled.get(nonceKey(authorization, requirements));
    return transaction === undefined ? { status: 'unused' } : { status: 'settled', transaction };
  }

  return {
    name: 'development',
    verify: async ({ authorization }, requirements) => check(authorization, requirements),
    settle: async ({ authorization }, requirements) => settle(authorization, requirements),
    lookup: async ({ authorization }, requirements) => lookup(authorization, requirements),
    supported: async () => ({ status: 'supported', kinds: [...KINDS] }),
  };
}

/** It does not care which network its play money is on; these are the names of the default one. */
const KINDS: readonly SupportedKind[] = [
  { x402Version: 1, scheme: 'exact', network: 'base' },
  { x402Version: 2, scheme: 'exact', network: 'eip155:8453' },
];
