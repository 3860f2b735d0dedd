import { setTimeout as pause } from 'node:timers/promises';
import type { Facilitator, LookupResult, Payment, PaymentForm } from '../../src/ports/facilitator';
import { listOf, type Check } from '../conformance/check';
import { createKit, DEFAULT_TIME_LIMIT_MS, type Kit } from '../conformance/kit';
import { cameOf, faultsOfTarget, type Members } from '../conformance/members';
import type { ConformanceRunner } from '../conformance/runner';
import { ContractBroken, insteadOf, shown } from '../conformance/failure';
import { comesTrue, type Watch } from '../conformance/watch';
import { FACILITATOR_CONTRACT, type FacilitatorSentence } from './contract';
import { slipOfRequirements } from './hooks';
import { signedPayment, type UnsignedAuthorization } from './payments';
import { HOOKS } from './hook-names';
import { faultOfReason } from './reasons';
import type { FacilitatorConformanceTarget, FacilitatorUnderTest } from './types';

export interface FacilitatorContext extends Pick<
  FacilitatorUnderTest,
  'facilitator' | 'requirements' | 'payer' | 'pauper' | 'now' | 'received' | 'looksUp'
> {
  /** The hooks that the adapter's author has provided or declared absent. */
  hooks: Pick<
    FacilitatorUnderTest,
    | 'another'
    | 'stranger'
    | 'loseAnswer'
    | 'hold'
    | 'garble'
    | 'silence'
    | 'failWith'
    | 'redirect'
    | 'cutOff'
    | 'moveClock'
    | 'times'
    | 'secrets'
  >;
  /** A payment of the payer that fits the requirements, with the given changes. */
  pay(change?: Partial<UnsignedAuthorization> & { form?: PaymentForm }): Promise<Payment>;
  /** Opens a second facilitator, as another process would. */
  open(another: () => Promise<Facilitator>): Promise<Facilitator>;
  /** Whether `look` becomes true within half of the check's time limit. */
  until(look: () => Promise<boolean>): Promise<boolean>;
  /** `isSlow`: a look-up after `settle` has not found the outcome, so money may arrive after `settle` has answered. */
  pace: { isSlow: boolean };
  /** Gives the service a moment to carry out what it has taken. */
  wait(): Promise<void>;
}

export type FacilitatorSuite = Kit<FacilitatorContext, FacilitatorSentence>;
export type FacilitatorTest = FacilitatorContext & { check: Check<FacilitatorSentence> };

export const FORMS: readonly PaymentForm[] = ['v2', 'v1', 'flat'];

const MEMBERS: Members<Facilitator> = {
  name: 'a text',
  playMoney: 'a value?',
  address: 'a value?',
  chainId: 'a method?',
  verify: 'a method',
  settle: 'a method',
  lookup: 'a method',
  supported: 'a method',
};

const TARGET = { payer: 'a value', pauper: 'a value', now: 'a method', received: 'a method' } as const;

/** The time that `wait` gives the service if the target has no hook `wait`. */
const MOMENT_MS = 50;

export function createFacilitatorSuite(
  runner: ConformanceRunner,
  target: FacilitatorConformanceTarget,
): FacilitatorSuite {
  const { timeLimitMs = DEFAULT_TIME_LIMIT_MS } = target;
  return createKit<FacilitatorUnderTest, FacilitatorContext, FacilitatorSentence>(runner, {
    ...target,
    contract: FACILITATOR_CONTRACT,
    endless: 'ends',
    rejected: (method) => (method === 'chainId' ? 'chainAway' : 'values'),
    create: () => target.create(),
    faults: (made) => faultsOfTarget(made, 'facilitator', MEMBERS, TARGET),
    hooks: HOOKS,
    slip: slipOfRequirements,
    open(made, watch) {
      const { facilitator, requirements, payer, pauper, looksUp } = made;
      const { another, stranger, moveClock, times, secrets } = made;
      const { loseAnswer, hold, garble, silence, failWith, redirect, cutOff } = made;
      const troubles = { loseAnswer, hold, garble, silence, failWith, redirect, cutOff };
      const observed = (one: Facilitator): Facilitator => watched(one, watch, listOf(secrets));
      return {
        context: {
          ...{ requirements, payer, pauper, looksUp },
          hooks: { another, stranger, moveClock, times, secrets, ...troubles },
          facilitator: observed(facilitator),
          now: () => made.now(),
          received: () => watch.call('received', () => made.received()),
          pay: (change) => signedPayment(payer, requirements, made.now(), change),
          open: async (make) => observed(await make()),
          pace: { isSlow: false },
          until: (look) => comesTrue(look, timeLimitMs / 2),
          wait: () => (made.wait === undefined ? pause(MOMENT_MS) : made.wait()),
        },
        end: () => made.destroy(),
      };
    },
  });
}

function watched(facilitator: Facilitator, watch: Watch, secrets: readonly string[]): Facilitator {
  const { name, playMoney, address, chainId } = facilitator;
  return {
    name,
    ...(playMoney !== undefined && { playMoney }),
    ...(address !== undefined && { address }),
    ...(chainId !== undefined && { chainId: () => watch.call('chainId', () => chainId.call(facilitator)) }),
    verify: (...input) => call('verify', () => facilitator.verify(...input)),
    settle: (...input) => call('settle', () => facilitator.settle(...input)),
    lookup: (...input) => call('lookup', () => facilitator.lookup(...input)),
    supported: () => call('supported', () => facilitator.supported()),
  };

  /**
   * Calls the adapter. An answer without a known status ends the check, because no caller could handle it. A
   * reason that must not be shown, for instance because it contains a secret, also ends the check.
   */
  async function call<T extends { status: string; reason?: unknown }>(
    method: keyof typeof STATUSES,
    make: () => Promise<T>,
  ): Promise<T> {
    const answer = await watch.call(method, make);
    const status: unknown = typeof answer === 'object' ? (answer as T | null)?.status : undefined;
    if (typeof status !== 'string' || !STATUSES[method].includes(status)) {
      const expected = `an object with \`status\`, one of ${STATUSES[method].join(', ')}`;
      return broken('values', `\`${method}\` answered ${cameOf(answer)}; expected: ${expected}`);
    }
    const kinds: unknown = Reflect.get(answer, 'kinds');
    if (status === 'supported' && !areKinds(kinds))
      return broken('supported', `\`supported\` answered kinds ${cameOf(kinds)}; expected: ${KINDS}`);
    const fault = faultOfReason(answer, secrets);
    return fault === null
      ? answer
      : broken(
          'reason',
          insteadOf(`\`${method}\` answered ${status} with ${fault}`, 'a text of one line without a secret'),
        );
  }

  function broken(sentence: FacilitatorSentence, seen: string): Promise<never> {
    watch.report(new ContractBroken(FACILITATOR_CONTRACT, sentence, { seen }));
    return watch.reported;
  }
}

const STATUSES: Readonly<Record<'verify' | 'settle' | 'lookup' | 'supported', readonly string[]>> = {
  verify: ['valid', 'invalid', 'insufficient_funds', 'spent', 'unavailable'],
  settle: ['settled', 'invalid', 'insufficient_funds', 'spent', 'unavailable', 'unknown'],
  lookup: ['settled', 'unused', 'invalid', 'unknown'],
  supported: ['supported', 'unavailable'],
};

const KINDS = 'a list of objects with `x402Version` 1 or 2 and the texts `scheme` and `network`, not empty';

function areKinds(kinds: unknown): boolean {
  if (!Array.isArray(kinds) || kinds.length === 0) return false;
  return kinds.every((kind: unknown) => {
    const { x402Version, scheme, network } = Object(kind) as Record<string, unknown>;
    const isKnown = x402Version === 1 || x402Version === 2;
    return isKnown && typeof scheme === 'string' && typeof network === 'string';
  });
}

// --- checks that several tests use ---

export const HASH = /^0x[0-9a-fA-F]{64}$/;

export const noHash = (method: string, transaction: unknown): string =>
  insteadOf(
    `\`transaction\` of what \`${method}\` answered: ${shown(transaction)}`,
    'a hash, 0x and 64 hexadecimal digits, or `null`',
  );

/**
 * Checks that the payment is valid before a test submits it. Otherwise the test would wait for money that never
 * comes.
 */
export async function checkValid({ facilitator, requirements, check }: FacilitatorTest, payment: Payment) {
  const verified = await facilitator.verify(payment, requirements);
  check.by('moves').equal(verified, { status: 'valid' }, '`verify` of a valid payment');
}

export async function checkReceived(
  t: FacilitatorTest,
  payments: number,
  label: string,
  sentence?: FacilitatorSentence,
): Promise<void> {
  const check = sentence === undefined ? t.check : t.check.by(sentence);
  check.equal(await t.received(), BigInt(payments) * BigInt(t.requirements.amount), label);
}

/** Checks that the look-up finds the payment. An adapter without a chain to ask may answer `unknown`. */
export function checkFound(
  { check, looksUp, hooks, now }: FacilitatorTest,
  found: LookupResult,
  payment: Payment,
  sentence: FacilitatorSentence = 'lookup',
): void {
  check
    .by(sentence)
    .oneOf(
      found.status,
      looksUp ? ['settled'] : ['settled', 'unknown'],
      '`lookup` of a payment that was settled',
    );
  checkResult({ check, now }, found, payment);
  if (found.status !== 'settled') return;
  for (const time of listOf(hooks.times))
    if (found[time] === undefined)
      check
        .by(time)
        .fail(
          insteadOf(
            `\`lookup\` answered settled without \`${time}\``,
            'a time in Unix seconds, which `times` promises',
          ),
        );
}

/**
 * Checks the transaction and the times of a look-up, as far as they are given. The token accepts an authorization
 * only within its window, so `spentAt` must lie in the window.
 */
export function checkResult(
  { check, now }: Pick<FacilitatorTest, 'check' | 'now'>,
  found: LookupResult,
  { authorization: { validAfter, validBefore } }: Payment,
): void {
  if (found.status !== 'settled' && found.status !== 'unused') return;
  const { asOf } = found;
  const latest = Math.floor(now() / 1000) + CHAIN_AHEAD_SECONDS;
  if (asOf !== undefined && !(Number.isInteger(asOf) && asOf <= latest))
    check
      .by('asOf')
      .fail(
        insteadOf(
          `\`asOf\` of what \`lookup\` answered: ${shown(asOf)}`,
          `a time in seconds, and now it is ${Math.floor(now() / 1000)}`,
        ),
      );
  if (found.status === 'unused') return;
  const { transaction, spentAt, sentBySettler } = found;
  if (transaction !== null && !HASH.test(transaction))
    check.by('transaction').fail(noHash('lookup', transaction));
  if (sentBySettler !== undefined && typeof sentBySettler !== 'boolean')
    check
      .by('sender')
      .fail(
        insteadOf(
          `\`sentBySettler\` of what \`lookup\` answered: ${shown(sentBySettler)}`,
          'true, false or nothing',
        ),
      );
  if (spentAt === undefined) return;
  const within = Number.isInteger(spentAt) && spentAt >= Number(validAfter) && spentAt < Number(validBefore);
  if (!within)
    check
      .by('spentAt')
      .fail(
        insteadOf(
          `\`spentAt\` of what \`lookup\` answered: ${shown(spentAt)}`,
          `a time in seconds from ${validAfter} to ${validBefore}, the window of the payment`,
        ),
      );
  if (asOf !== undefined && asOf < spentAt)
    check
      .by('asOf')
      .fail(
        insteadOf(
          `\`asOf\` of what \`lookup\` answered: ${asOf}`,
          `a time that is not before \`spentAt\`, ${spentAt}`,
        ),
      );
}

/** How far `asOf` may be ahead of `now`, for example on a test chain whose clock was moved. */
const CHAIN_AHEAD_SECONDS = 86_400;

export const STRANGER = 'submits a payment without the adapter';
