/** Calls that are paid one by one (x402): by a signer, or through a published client of x402. */
import type { Deposit, MarketDetail, MarketFeed, OracleAnswer, PaymentInfo } from './api.generated';
import { lost, read, type Answered } from './attempt';
import { sendingOf, type Call, type PlainInputs } from './call';
import { nothingSigned, PredictionMarketApiError, type SentPayment } from './errors';
import type { MarketQuery } from './markets';
import type { Body, Path, Query } from './operations';
import type { CallOptions, ServiceConnection, UsualLimits } from './options';
import { allowedTerms, type Terms } from './payment-terms';
import { base64Json, receiptOf, type Receipt } from './receipt';
import { errorOf, send, tryToSend, type Sending } from './send';
import { addressOf, type PaymentSigner } from './signers';

export type FeedQuery = Omit<Query<'/x402/feed'>, 'category'> & Pick<MarketQuery, 'category'>;
export type PaidQuestion = Query<'/x402/oracle/resolve'>;
export type PaidMarket = Body<'/x402/markets'>;

export interface PaidOptions extends CallOptions {
  /**
   * The most that a payment by a signer may cost, in USD. Default: the option `maxPayment` of the client. A deposit
   * ignores it: a deposit may cost its own amount, and not more.
   */
  maxPayment?: number | undefined;
  /**
   * A payment that was sent before, from the field `payment` of an error. The same call with the same payment is
   * charged at most once.
   */
  payment?: SentPayment | null | undefined;
}

export interface Bought<Answer> {
  /** What the call answers. */
  answer: Answer;
  /** Null if the answer carries no receipt. */
  receipt: Receipt | null;
}

export interface Paid {
  /** The calls with their prices. Costs nothing. */
  info(options?: CallOptions): Promise<PaymentInfo>;
  /**
   * Buys the open markets with most volume.
   * @example
   * const { answer, receipt } = await client.paid.feed({}, { maxPayment: 0.01 });
   * console.log(answer.markets.length, receipt?.transaction);
   */
  feed(query?: FeedQuery, options?: PaidOptions): Promise<Bought<MarketFeed>>;
  /** Asks the oracle a question, or the question of a market. */
  resolve(question: PaidQuestion, options?: PaidOptions): Promise<Bought<OracleAnswer>>;
  /**
   * Opens a market of the paying wallet, which must be an approved creator. A wallet that is not approved is
   * charged too.
   */
  createMarket(market: PaidMarket, options?: PaidOptions): Promise<Bought<MarketDetail>>;
  /** Pays this amount, in USD, and credits it to the paying wallet. */
  deposit(amount: number, options?: PaidOptions): Promise<Bought<Deposit>>;
}

/**
 * The limits leave time for the oracle and for a block of the chain. `totalMs` is shorter than the 300 seconds for
 * which a payment by a signer is valid.
 */
const PAID_LIMITS: UsualLimits = { timeoutMs: 120_000, totalMs: 240_000 };

export function paidOf(connection: ServiceConnection, call: Call): Paid {
  async function buy<Answer>(
    method: 'get' | 'post',
    path: Path,
    inputs: PlainInputs,
    options: PaidOptions = {},
  ): Promise<Bought<Answer>> {
    const extras = { repeatable: 'read', limits: PAID_LIMITS } as const;
    const sending = sendingOf(connection, method, path, inputs, options, extras);
    const { body, headers } = await bought(connection, sending, options);
    return { answer: body as Answer, receipt: receiptOf(headers) };
  }
  return {
    info: (options) => call('get', '/x402/info', {}, options),
    feed: (query, options) => buy('get', '/x402/feed', { query }, options),
    resolve: (query, options) => buy('get', '/x402/oracle/resolve', { query }, options),
    createMarket: (body, options) => buy('post', '/x402/markets', { body }, options),
    deposit: (amount, options) =>
      buy('post', '/x402/deposit', { body: { amount } }, { ...options, maxPayment: amount }),
  };
}

/** Makes a paid call. The request without a payment may be repeated, because it buys nothing. */
async function bought(
  connection: ServiceConnection,
  sending: Sending,
  options: PaidOptions,
): Promise<Answered> {
  const { payWith } = connection;
  if (options.payment)
    return send(connection, { ...withPayment(sending, options.payment), mayHaveBeenSent: true });
  if (typeof payWith === 'function') {
    const { throughClient } = await import('./published-client');
    return throughClient({ connection, tryToSend, read, lost, errorOf }, sending, payWith);
  }
  const required = await requirementsOf(connection, sending);
  if ('kind' in required) return required;
  if (payWith === null) {
    required.message += ' (give createClient payWith)';
    throw required;
  }
  const terms = signable(connection, sending, required, options.maxPayment);
  const payment = await signed(payWith, terms, connection.timers.now());
  return send(connection, withPayment(sending, payment));
}

async function signed(signer: PaymentSigner, terms: Terms, now: number): Promise<SentPayment> {
  const { signTransfer } = await import('./authorization');
  const { authorization, signature } = await signTransfer(signer, await addressOf(signer), terms, now);
  const payment = { ...authorization, signature, network: terms.network, currency: 'USDC' };
  return { header: 'X-PAYMENT', value: base64Json(payment) };
}

function withPayment(sending: Sending, payment: SentPayment): Sending {
  const { request } = sending;
  const headers = { ...request.headers, [payment.header]: payment.value };
  return { ...sending, request: { ...request, headers }, repeatable: 'paid', payment };
}

/** The error that states what the call costs, or the answer if the call costs nothing. */
async function requirementsOf(
  connection: ServiceConnection,
  sending: Sending,
): Promise<Answered | PredictionMarketApiError> {
  try {
    return await send(connection, sending);
  } catch (error) {
    if (!(error instanceof PredictionMarketApiError) || error.code !== 'PAYMENT_REQUIRED') throw error;
    return error;
  }
}

/** The terms to sign. Throws if the caller does not allow these terms. */
function signable(
  { paymentTokens, maxPayment }: ServiceConnection,
  { request: { method, path } }: Sending,
  { status, attempts, details }: PredictionMarketApiError,
  most = maxPayment,
): Terms {
  const terms = allowedTerms(details, paymentTokens, most);
  if ('amount' in terms) return terms;
  throw nothingSigned({ method, path, status, attempts, details }, terms);
}
