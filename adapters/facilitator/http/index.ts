/** Any facilitator that speaks the standard protocol: /verify, /settle and /supported, in version 1 or 2. */
import type {
  Facilitator,
  LookupResult,
  Payment,
  PaymentRequirements,
  SettleResult,
  SupportedKind,
  SupportedResult,
  VerifyResult,
} from '../../../src/ports/facilitator';
import {
  aClock,
  checkOptions,
  milliseconds,
  mustBe,
  optional,
  secretHttpAddress,
  type Checks,
} from '../../../src/domain/options';
import { systemClock, type Clock } from '../../../src/ports/clock';
import { createAuthorizationLookup } from '../../shared/evm/authorization-lookup';
import { createRpc } from '../../shared/evm/rpc';
import { settleRefusal, verifyRefusal } from './reasons';
import { createTransport, type CallResult, type HeadersSource } from './transport';
import {
  chooseVersion,
  readSettleAnswer,
  readSupportedAnswer,
  readVerifyAnswer,
  requestBody,
  versionsFor,
  writtenVersion,
  type X402Version,
} from './wire';

export type { FacilitatorOperation, FacilitatorRequest, HeadersSource } from './transport';

export interface HttpFacilitatorOptions {
  /** Base address; `/verify`, `/settle` and `/supported` are appended. */
  url: string;
  /** Headers of every request, such as its authorization; a callback is asked before each one. */
  headers?: HeadersSource;
  /** Time limit of one operation in milliseconds; default 20,000. */
  timeoutMs?: number;
  /**
   * JSON-RPC address of a node of the payment network. With it, `lookup` asks the chain what became of a payment; the
   * protocol itself has no such question, so without it a payment that the facilitator calls spent stays unknown, unless
   * the facilitator repeats its success when it is asked to settle the payment again.
   */
  rpcUrl?: string;
  clock?: Clock;
}

const DEFAULT_TIMEOUT_MS = 20_000;
/** What a facilitator takes changes with its deployments. */
const KINDS_KEPT_MS = 600_000;

const CHECKS: Checks<HttpFacilitatorOptions> = {
  url: secretHttpAddress,
  headers: optional(
    mustBe('an object of texts, or a function that makes one', isHeadersSource, { secret: true }),
  ),
  timeoutMs: optional(milliseconds),
  rpcUrl: optional(secretHttpAddress),
  clock: optional(aClock),
};

function isHeadersSource(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((header) => typeof header === 'string');
}

export function httpFacilitator(options: HttpFacilitatorOptions): Facilitator {
  checkOptions('httpFacilitator', options, CHECKS);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, clock = systemClock } = options;
  const transport = createTransport(options.url.replace(/\/+$/, ''), options.headers ?? {});
  const onChain =
    options.rpcUrl === undefined
      ? null
      : createAuthorizationLookup({ rpc: createRpc({ url: options.rpcUrl, timeoutMs }) });
  const timeLimit = (): AbortSignal => AbortSignal.timeout(timeoutMs);
  const kinds = createKindsCache(clock, async (signal) =>
    supportedOf(await transport.call('supported', signal)),
  );

  async function bodyOf(
    payment: Payment,
    requirements: PaymentRequirements,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const supported = await kinds(signal);
    const version = versionOf(payment, requirements, supported);
    return typeof version === 'string'
      ? { body: null, reason: version }
      : { body: requestBody(payment, requirements, version) };
  }

  async function verify(payment: Payment, requirements: PaymentRequirements): Promise<VerifyResult> {
    const signal = timeLimit();
    const prepared = await bodyOf(payment, requirements, signal);
    if (prepared.body === null) return { status: 'unavailable', reason: prepared.reason };
    return verified(await transport.call('verify', signal, prepared.body), payment);
  }

  async function settle(payment: Payment, requirements: PaymentRequirements): Promise<SettleResult> {
    const signal = timeLimit();
    const prepared = await bodyOf(payment, requirements, signal);
    if (prepared.body === null) return { status: 'unavailable', reason: prepared.reason };
    return settled(await transport.call('settle', signal, prepared.body), payment);
  }

  /**
   * What the facilitator itself can tell about a payment that may have been settled. Whoever finds it valid can be asked to
   * settle it again, which the token allows once. Any other verdict may be a consequence of its having been settled: some
   * facilitators then repeat their first success when they are asked for the same settlement. No refusal proves anything.
   */
  async function ask(payment: Payment, requirements: PaymentRequirements): Promise<LookupResult> {
    const verdict = await verify(payment, requirements);
    if (verdict.status === 'valid') return { status: 'unused' };
    if (verdict.status !== 'unavailable') {
      const repeated = await settle(payment, requirements);
      if (repeated.status === 'settled') return repeated;
    }
    return { status: 'unknown', reason: 'reason' in verdict ? verdict.reason : verdict.status };
  }

  return {
    name: 'http',
    verify,
    settle,
    lookup: (payment, requirements) =>
      onChain === null ? ask(payment, requirements) : onChain.lookup(payment.authorization, requirements),
    supported: () => kinds(timeLimit()),
  };
}

type Prepared = { body: object } | { body: null; reason: string };

/** The version to write in, or why there is none. */
function versionOf(
  { form }: Payment,
  { network }: PaymentRequirements,
  supported: SupportedResult,
): X402Version | string {
  // A payment in a version of the protocol can be passed on as it is when nobody says what is taken.
  if (supported.status === 'unavailable') return writtenVersion(form) ?? supported.reason;
  return (
    chooseVersion(form, versionsFor(network, supported.kinds)) ?? `it takes no exact payments on ${network}`
  );
}

function supportedOf(call: CallResult): SupportedResult {
  if (call.outcome !== 'answered') return { status: 'unavailable', reason: call.reason };
  const kinds = call.status === 200 ? readSupportedAnswer(call.body) : null;
  return kinds === null
    ? { status: 'unavailable', reason: `/supported answered ${call.status} without kinds` }
    : { status: 'supported', kinds };
}

function verified(call: CallResult, payment: Payment): VerifyResult {
  if (call.outcome !== 'answered') return { status: 'unavailable', reason: call.reason };
  const answer = isAnswer(call.status) ? readVerifyAnswer(call.body, payment) : null;
  if (answer === null)
    return { status: 'unavailable', reason: `/verify answered ${call.status} without a verdict` };
  if (!answer.isValid) return verifyRefusal(answer.reason);
  return call.status < 400
    ? { status: 'valid' }
    : { status: 'unavailable', reason: `/verify answered ${call.status} with a valid payment` };
}

function settled(call: CallResult, payment: Payment): SettleResult {
  if (call.outcome === 'not_sent') return { status: 'unavailable', reason: call.reason };
  if (call.outcome === 'no_answer') return { status: 'unknown', reason: call.reason };
  const { status } = call;
  const answer = isAnswer(status) ? readSettleAnswer(call.body, payment) : null;
  if (answer === null) {
    const reason = `/settle answered ${status} without an outcome`;
    return { status: AT_THE_DOOR.has(status) ? 'unavailable' : 'unknown', reason };
  }
  if (!answer.success) return settleRefusal(answer.reason, answer.transaction);
  return status < 400
    ? { status: 'settled', transaction: answer.transaction }
    : { status: 'unknown', reason: `/settle answered ${status} with a success` };
}

/** Facilitators send their verdicts with 200, and refusals with 4xx too. A 5xx is theirs, whatever its body says. */
function isAnswer(status: number): boolean {
  return (status >= 200 && status < 300) || (status >= 400 && status < 500);
}

/**
 * Turned away at the door: wrong credentials, no such path, too many requests. Any other status without an outcome may
 * come from further inside, after a transaction was sent.
 */
const AT_THE_DOOR = new Set([
  ...[301, 302, 303, 307, 308],
  ...[401, 402, 403, 404, 405, 406, 407, 410, 411, 413, 414, 415, 421, 426, 429, 431],
]);

/** Asks once for all who wait, and keeps a good answer for a while. */
function createKindsCache(
  clock: Clock,
  ask: (signal: AbortSignal) => Promise<SupportedResult>,
): (signal: AbortSignal) => Promise<SupportedResult> {
  let kept: { kinds: SupportedKind[]; until: number } | null = null;
  let asking: Promise<SupportedResult> | null = null;
  return async (signal) => {
    if (kept !== null && clock.now() < kept.until) return { status: 'supported', kinds: [...kept.kinds] };
    asking ??= ask(signal).finally(() => (asking = null));
    const answer = await asking;
    if (answer.status === 'supported') kept = { kinds: answer.kinds, until: clock.now() + KINDS_KEPT_MS };
    return answer;
  };
}
