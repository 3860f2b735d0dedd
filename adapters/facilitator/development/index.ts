/** Play money with real signatures. Authorizations are checked as on the chain, but no real money moves. */
import type {
  Facilitator,
  LookupResult,
  PaymentAuthorization,
  PaymentRequirements,
  SettleResult,
  SupportedKind,
  VerifyResult,
} from '../../../src/ports/facilitator';
import { aClock, callback, checkOptions, mustBe, optional, type Checks } from '../../../src/domain/options';
import { systemClock, type Clock } from '../../../src/ports/clock';
import { parseAddress } from '../../../src/crypto/address';
import { developmentTransaction } from '../../../src/crypto/play-money';
import { authorizationProblem, EXPIRED } from '../authorization-problem';

export interface DevelopmentFacilitatorOptions {
  /** The balance of a new wallet, in USDC base units. Default 1,000 USDC. */
  startingBalance?: bigint | undefined;
  /** The starting balances of certain addresses, in place of `startingBalance`. In USDC base units. */
  balances?: Readonly<Record<string, bigint>> | undefined;
  clock?: Clock | undefined;
  /**
   * Called once by `developmentFacilitator`, with a warning that the money is not real. Default: the process prints
   * the warning once.
   */
  warn?: ((message: string) => void) | undefined;
}

export interface DevelopmentFacilitator extends Facilitator {
  /** The play balance of any address, in USDC base units. It begins with the starting balance. */
  balanceOf(address: string): bigint;
}

const WARNING =
  'developmentFacilitator: payments are settled in PLAY MONEY. Signatures are checked, nothing is charged. Never use it in production; docs/money-in-and-out.md of the package leads to real payments.';

const isBaseUnits = (value: unknown): boolean => typeof value === 'bigint' && value >= 0n;
const CHECKS: Checks<DevelopmentFacilitatorOptions> = {
  startingBalance: optional(mustBe('base units as a bigint of 0 or more, such as 5_000_000n', isBaseUnits)),
  balances: optional(
    mustBe(
      'an object of base units (bigint) by address',
      (value) =>
        typeof value === 'object' &&
        value !== null &&
        Object.entries(value).every(([owner, units]) => parseAddress(owner) !== null && isBaseUnits(units)),
    ),
  ),
  clock: optional(aClock),
  warn: optional(callback),
};

/**
 * A facilitator that keeps balances and used nonces in this process. It checks the recipient, the amount, the
 * signature, the window, the nonce and the balance.
 */
export function developmentFacilitator(options: DevelopmentFacilitatorOptions = {}): DevelopmentFacilitator {
  checkOptions('developmentFacilitator', options, CHECKS);
  const { startingBalance = 1_000_000_000n, clock = systemClock, warn = warnProcess } = options;
  const balances = new Map(
    Object.entries(options.balances ?? {}).map(([address, balance]) => [address.toLowerCase(), balance]),
  );
  const settled = new Map<string, Settlement>();
  warn(WARNING);

  const balanceOf = (address: string): bigint => balances.get(address.toLowerCase()) ?? startingBalance;

  function check(authorization: PaymentAuthorization, requirements: PaymentRequirements): VerifyResult {
    const problem = authorizationProblem(authorization, requirements, clock.now());
    const isSpent = settled.has(nonceKey(authorization, requirements));
    // An authorization that was settled before its window ended is reported as spent, not as expired.
    if (problem !== null && !(isSpent && problem === EXPIRED)) return { status: 'invalid', reason: problem };
    if (isSpent) return { status: 'spent', reason: 'nonce_already_used' };
    return balanceOf(authorization.from) < BigInt(authorization.value)
      ? { status: 'insufficient_funds' }
      : { status: 'valid' };
  }

  function settle(authorization: PaymentAuthorization, requirements: PaymentRequirements): SettleResult {
    const verified = check(authorization, requirements);
    if (verified.status !== 'valid') return verified;
    const { from, to, value, nonce } = authorization;
    const transaction = developmentTransaction({ asset: requirements.asset, payer: from, nonce });
    balances.set(from.toLowerCase(), balanceOf(from) - BigInt(value));
    balances.set(to.toLowerCase(), balanceOf(to) + BigInt(value));
    const spentAt = Math.floor(clock.now() / 1000);
    settled.set(nonceKey(authorization, requirements), { transaction, to: to.toLowerCase(), value, spentAt });
    return { status: 'settled', transaction };
  }

  function lookup(authorization: PaymentAuthorization, requirements: PaymentRequirements): LookupResult {
    const known = settled.get(nonceKey(authorization, requirements));
    if (known !== undefined) {
      const paid = known.to === requirements.payTo.toLowerCase() && known.value === requirements.amount;
      return paid
        ? { status: 'settled', transaction: known.transaction, spentAt: known.spentAt }
        : { status: 'invalid', reason: 'spent on another payment' };
    }
    const { validBefore } = authorization;
    return /^\d+$/.test(validBefore) && BigInt(clock.now()) / 1000n >= BigInt(validBefore)
      ? { status: 'invalid', reason: 'expired without having been settled' }
      : { status: 'unused' };
  }

  return {
    name: 'development',
    playMoney: true,
    balanceOf,
    verify: async ({ authorization }, requirements) => check(authorization, requirements),
    settle: async ({ authorization }, requirements) => settle(authorization, requirements),
    lookup: async ({ authorization }, requirements) => lookup(authorization, requirements),
    supported: async () => ({ status: 'supported', kinds: [...KINDS] }),
  };
}

interface Settlement {
  transaction: string;
  to: string;
  value: string;
  /** In Unix seconds. */
  spentAt: number;
}

/**
 * The kinds that `supported` names, all of the default network. Payments on other networks are accepted too.
 */
const KINDS: readonly SupportedKind[] = [
  { x402Version: 1, scheme: 'exact', network: 'base' },
  { x402Version: 2, scheme: 'exact', network: 'eip155:8453' },
];

export { developmentTransaction, PLAY_TREASURY_REFERENCE } from '../../../src/crypto/play-money';

function nonceKey({ from, nonce }: PaymentAuthorization, { network, asset }: PaymentRequirements): string {
  return [network, asset, from, nonce].join(':').toLowerCase();
}

let warned = false;

function warnProcess(message: string): void {
  if (warned) return;
  warned = true;
  process.emitWarning(message, { code: 'PLAY_MONEY' });
}
