/** A facilitator that speaks the standard protocol: /verify, /settle and /supported, in version 1 or 2. */
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
  integerBetween,
  milliseconds,
  mustBe,
  optional,
  secretHttpAddress,
  type Checks,
} from '../../../src/domain/options';
import { isAhead } from '../../../src/domain/instants';
import { systemClock, type Clock } from '../../../src/ports/clock';
import { createAuthorizationLookup } from '../../shared/evm/authorization-lookup';
import { createRpc } from '../../shared/evm/rpc';
import { afterWindow, settleResultOfReason, verifyResultOfReason } from './reasons';
import { createTransport, type FacilitatorAnswer, type HeadersSource, type Transport } from './transport';
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
  /**
   * The base address. The adapter appends `/verify`, `/settle` and `/supported`. User and password of
   * `https://user:password@host` are sent as an `Authorization` header, unless `headers` has one.
   */
  url: string;
  /**
   * The headers of every request, such as its authorization. If `headers` is a function, it is called before
   * each request.
   */
  headers?: HeadersSource | undefined;
  /**
   * The time limit of one operation at the facilitator, and of each request to `rpcUrl`, in milliseconds.
   * Default 20,000.
   */
  timeoutMs?: number | undefined;
  /**
   * The JSON-RPC address of a node of the payment network, from which `lookup` reads what became of a payment.
   * Without it, `lookup` asks the facilitator to verify the payment: a valid payment is unused. If the facilitator
   * refuses the payment, `lookup` asks it to settle the payment again, because some facilitators then repeat their
   * first success. Any other answer gives the result `unknown`.
   */
  rpcUrl?: string | undefined;
  /**
   * How many blocks deep a transfer has to be before `lookup` trusts it. It needs `rpcUrl`. 1 trusts the newest block.
   * Default 1. A success of the facilitator's `/settle` is trusted at once.
   */
  confirmations?: number | undefined;
  clock?: Clock | undefined;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const KINDS_KEPT_MS = 600_000;

const CHECKS: Checks<HttpFacilitatorOptions> = {
  url: secretHttpAddress,
  headers: optional(
    mustBe('an object of texts, or a function that makes one', isHeadersSource, { secret: true }),
  ),
  timeoutMs: optional(milliseconds),
  rpcUrl: optional(secretHttpAddress),
  confirmations: optional(integerBetween(1, 10_000)),
  clock: optional(aClock),
};

function isHeadersSource(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((header) => typeof header === 'string');
}

interface Service {
  transport: Transport;
  kinds: (signal: AbortSignal) => Promise<SupportedResult>;
  timeLimit: () => AbortSignal;
  clock: Clock;
}

/**
 * A facilitator service of the x402 protocol, over HTTP. docs/money-in-and-out.md "Which facilitator".
 * @throws TypeError naming the option that does not fit. RangeError for a number out of its range.
 */
export function httpFacilitator(options: HttpFacilitatorOptions): Facilitator {
  checkOptions('httpFacilitator', options, CHECKS);
  if (options.confirmations !== undefined && options.rpcUrl === undefined)
    throw new TypeError(
      'httpFacilitator: confirmations must be left out without rpcUrl, because only a node shows the depth of a transfer',
    );
  const { timeoutMs = DEFAULT_TIMEOUT_MS, confirmations, clock = systemClock } = options;
  const transport = createTransport(options.url, options.headers ?? {});
  const rpc = options.rpcUrl === undefined ? null : createRpc({ url: options.rpcUrl, timeoutMs });
  const onChain = rpc === null ? null : createAuthorizationLookup({ rpc, confirmations });
  const kinds = createKindsCache(clock, async (signal) =>
    supportedOf(await transport.call('supported', signal)),
  );
  const timeLimit = (): AbortSignal => AbortSignal.timeout(timeoutMs);
  const service: Service = { transport, kinds, timeLimit, clock };
  return {
    name: 'http',
    playMoney: false,
    ...(rpc !== null && { chainId: () => rpc.chainId() }),
    verify: (payment, requirements) => verify(service, payment, requirements, timeLimit()),
    settle: (payment, requirements) => settle(service, payment, requirements, timeLimit()),
    lookup: (payment, requirements) =>
      onChain === null
        ? ask(service, payment, requirements)
        : onChain.lookup(payment.authorization, requirements),
    supported: () => kinds(timeLimit()),
  };
}

async function verify(
  service: Service,
  payment: Payment,
  requirements: PaymentRequirements,
  signal: AbortSignal,
): Promise<VerifyResult> {
  const request = await bodyOf(service, payment, requirements, signal);
  if (request.body === null) return { status: 'unavailable', reason: request.reason };
  return verified(await service.transport.call('verify', signal, request.body), payment);
}

async function settle(
  service: Service,
  payment: Payment,
  requirements: PaymentRequirements,
  signal: AbortSignal,
): Promise<SettleResult> {
  const request = await bodyOf(service, payment, requirements, signal);
  if (request.body === null) return { status: 'unavailable', reason: request.reason };
  const isPast = service.clock.now() >= Number(payment.authorization.validBefore) * 1000;
  const result = settled(await service.transport.call('settle', signal, request.body), payment);
  return isPast ? afterWindow(result) : result;
}

/**
 * Asks the facilitator about a payment that may have been settled. A payment that the facilitator finds valid is
 * unused. A refusal proves nothing, because it may be a consequence of the settlement. After a refusal the
 * facilitator is asked to settle again, because some facilitators then repeat their first success.
 */
async function ask(
  service: Service,
  payment: Payment,
  requirements: PaymentRequirements,
): Promise<LookupResult> {
  const signal = service.timeLimit();
  const verdict = await verify(service, payment, requirements, signal);
  if (verdict.status === 'valid') return { status: 'unused' };
  if (verdict.status !== 'unavailable') {
    const repeated = await settle(service, payment, requirements, signal);
    if (repeated.status === 'settled') return repeated;
  }
  return { status: 'unknown', reason: 'reason' in verdict ? verdict.reason : verdict.status };
}

async function bodyOf(
  { kinds }: Service,
  payment: Payment,
  requirements: PaymentRequirements,
  signal: AbortSignal,
): Promise<RequestBody> {
  const supported = await kinds(signal);
  const version = versionOf(payment, requirements, supported);
  return typeof version === 'string'
    ? { body: null, reason: version }
    : { body: requestBody(payment, requirements, version) };
}

type RequestBody = { body: object } | { body: null; reason: string };

/** The protocol version of the request, or the reason why no version fits. */
function versionOf(
  { form }: Payment,
  { network }: PaymentRequirements,
  supported: SupportedResult,
): X402Version | string {
  // If the facilitator does not say what it supports, the payment goes to it in the version in which the payer
  // wrote the payment.
  if (supported.status === 'unavailable') return writtenVersion(form) ?? supported.reason;
  return (
    chooseVersion(form, versionsFor(network, supported.kinds)) ?? `it takes no exact payments on ${network}`
  );
}

function supportedOf(answer: FacilitatorAnswer): SupportedResult {
  if (answer.outcome !== 'answered') return { status: 'unavailable', reason: answer.reason };
  const kinds = answer.status === 200 ? readSupportedAnswer(answer.body) : null;
  return kinds === null
    ? { status: 'unavailable', reason: `/supported answered ${answer.status} without kinds` }
    : { status: 'supported', kinds };
}

function verified(answer: FacilitatorAnswer, payment: Payment): VerifyResult {
  if (answer.outcome !== 'answered') return { status: 'unavailable', reason: answer.reason };
  const verdict = isVerdict(answer.status) ? readVerifyAnswer(answer.body, payment) : null;
  if (verdict === null)
    return { status: 'unavailable', reason: `/verify answered ${answer.status} without a verdict` };
  if (!verdict.isValid) return verifyResultOfReason(verdict.reason);
  return answer.status < 400
    ? { status: 'valid' }
    : { status: 'unavailable', reason: `/verify answered ${answer.status} with a valid payment` };
}

function settled(answer: FacilitatorAnswer, payment: Payment): SettleResult {
  if (answer.outcome === 'not_sent') return { status: 'unavailable', reason: answer.reason };
  if (answer.outcome === 'no_answer') return { status: 'unknown', reason: answer.reason };
  const { status } = answer;
  const outcome = isVerdict(status) ? readSettleAnswer(answer.body, payment) : null;
  if (outcome === null) {
    const reason = `/settle answered ${status} without an outcome`;
    return { status: BEFORE_WORK.has(status) ? 'unavailable' : 'unknown', reason };
  }
  if (!outcome.success) return settleResultOfReason(outcome.reason, outcome.transaction);
  return status < 400
    ? { status: 'settled', transaction: outcome.transaction }
    : { status: 'unknown', reason: `/settle answered ${status} with a success` };
}

/**
 * Whether an answer with this status may have a verdict. Facilitators send verdicts with 2xx, and refusals with
 * 4xx too. The body of a 5xx is not trusted.
 */
function isVerdict(status: number): boolean {
  return (status >= 200 && status < 300) || (status >= 400 && status < 500);
}

/**
 * Statuses with which a server answers before it works on a request, such as a redirect or wrong credentials. A
 * facilitator may answer with any other status after it has sent a transaction.
 */
const BEFORE_WORK = new Set([
  ...[301, 302, 303, 307, 308],
  ...[401, 402, 403, 404, 405, 406, 407, 410, 411, 413, 414, 415, 421, 426, 429, 431],
]);

/** Caches the supported kinds for ten minutes. Callers that wait at the same time share one request. */
function createKindsCache(
  clock: Clock,
  ask: (signal: AbortSignal) => Promise<SupportedResult>,
): (signal: AbortSignal) => Promise<SupportedResult> {
  let kept: { kinds: SupportedKind[]; until: number } | null = null;
  let asking: Promise<SupportedResult> | null = null;
  return async (signal) => {
    if (kept !== null && isAhead(kept.until, clock.now(), KINDS_KEPT_MS))
      return { status: 'supported', kinds: [...kept.kinds] };
    asking ??= ask(signal).finally(() => (asking = null));
    const answer = await asking;
    if (answer.status === 'supported') kept = { kinds: answer.kinds, until: clock.now() + KINDS_KEPT_MS };
    return answer;
  };
}
