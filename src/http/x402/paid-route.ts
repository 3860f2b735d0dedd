/**
 * A paid route. For a request without a payment, neither the storage nor the facilitator is asked. A request with a
 * payment goes to `PaidCalls`.
 */
import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import Joi from 'joi';
import type { Config } from '../../config';
import {
  ERROR_TABLE,
  isPredictionMarketError,
  PredictionMarketError,
  type ErrorCode,
} from '../../domain/errors';
import type { NonceScope } from '../../crypto/payment-nonce';
import type { PaymentRequirements } from '../../ports/facilitator';
import { parseBody } from '../../schemas/parse';
import { paymentRefusal } from '../../usecases/payments/static-checks';
import { invalidPayment, UsedPaymentError } from '../../usecases/payments/payment-errors';
import type { PaidCommand } from '../../usecases/commands';
import type { PaidCalls } from '../../usecases/payments/paid-calls';
import type { PaymentNonces } from '../../usecases/payments/payment-nonces';
import { readBody } from '../body';
import { ownAddress } from '../own-address';
import { API_PREFIX } from '../prefix';
import { defineRoute, type Route, type ParsedRequest } from '../route';
import { queryReader } from '../query-reader';
import { searchText } from '../query-string';
import { RawAnswer } from '../send';
import { paymentRequiredWriter, requirementsOf, type PaymentRequiredWriter } from './payment-required';
import type { PaymentMeter } from './payment-meter';
import { presentsPayment, readPayment, termProblem, type PresentedPayment } from './presented-payment';
import { receiptHeader } from './receipt';

export interface PaidRouteDependencies {
  paidCalls: PaidCalls;
  nonces: PaymentNonces;
  meter: PaymentMeter;
}

/** The definition of a paid route. It has either a `query` or a `body`. */
export interface PaidRouteOptions<Input> {
  method: 'get' | 'post';
  path: string;
  summary: string;
  description?: string;
  query?: Joi.Schema<Input>;
  body?: Joi.Schema<Input>;
  success: NonNullable<Route['success']>;
  errors: readonly ErrorCode[];
  /** The price in base units: a fixed price, or a function of the request's input. */
  price: bigint | ((input: Input) => bigint);
  command(input: Input): PaidCommand;
}

interface OptionsWithReader<Input> extends PaidRouteOptions<Input> {
  /** `null` if the route has a body. */
  queryOf: ((request: Request) => Input) | null;
}

export interface PaidRoute {
  route: Route;
  /** The price in base units. `null` when the price depends on the request's input. */
  amount: bigint | null;
}

export function paidRoute<Input>(
  dependencies: PaidRouteDependencies,
  options: PaidRouteOptions<Input>,
): PaidRoute {
  const { price, query, command: _command, ...rest } = options;
  const queryOf = query === undefined ? null : (queryReader(query) as (request: Request) => Input);
  const withReader = { ...options, queryOf };
  let last: { address: string; offer: Offer } | null = null;
  const offerOf: OfferOf = (config, amount, address) => {
    if (typeof price === 'function') return createOffer(config, options, amount, address);
    if (last?.address !== address) last = { address, offer: createOffer(config, options, amount, address) };
    return last.offer;
  };
  const route = defineRoute({
    ...rest,
    ...(query && { query }),
    group: 'x402',
    paid: true,
    headers: PAYMENT_HEADERS,
    success: { ...options.success, headers: RECEIPT_HEADERS },
    handler: (paidRequest: PaidRequest) => serve(paidRequest, dependencies, withReader, offerOf),
  });
  return { route, amount: typeof price === 'bigint' ? price : null };
}

const PAYMENT_HEADERS = [
  {
    name: 'X-PAYMENT',
    schema: Joi.string(),
    description: 'The payment, base64 of JSON: the flat form or x402 version 1',
  },
  {
    name: 'PAYMENT-SIGNATURE',
    schema: Joi.string(),
    description: 'The payment in x402 version 2, base64 of JSON',
  },
];
const RECEIPT_HEADERS = {
  'X-PAYMENT-RESPONSE': 'The receipt of a flat or version 1 payment, base64 of JSON',
  'PAYMENT-RESPONSE': 'The receipt of a version 2 payment, base64 of JSON',
};

type PaidRequest = ParsedRequest<'x402', unknown, unknown, unknown>;

interface ReadInput<Input> {
  input: Input;
  /** The parsed body as JSON. Empty if the route takes no body. */
  sent: string;
}

interface Offer {
  scope: NonceScope;
  requirements: PaymentRequirements;
  paymentRequired: PaymentRequiredWriter;
}

/** `address` is the public address of this API. */
type OfferOf = (config: Config, amount: bigint, address: string) => Offer;

function createOffer(
  config: Config,
  route: Pick<Route, 'method' | 'path' | 'summary'>,
  amount: bigint,
  address: string,
): Offer {
  const url = address + API_PREFIX + route.path;
  const resource = { url, description: route.summary, mimeType: 'application/json' };
  const requirements = requirementsOf(config, amount, resource);
  const scope = { method: route.method.toUpperCase(), path: route.path, amount };
  return { scope, requirements, paymentRequired: paymentRequiredWriter(requirements) };
}

async function serve<Input>(
  paidRequest: PaidRequest,
  dependencies: PaidRouteDependencies,
  options: OptionsWithReader<Input>,
  offerOf: OfferOf,
): Promise<RawAnswer> {
  const { context, request, response } = paidRequest;
  const { price } = options;
  // If the price depends on the input, the input is read now, because the 402 answer names the price.
  const early = typeof price === 'function' ? await read(options, request, response) : null;
  const amount = typeof price === 'function' ? price((early as ReadInput<Input>).input) : price;
  const offer = offerOf(context.config, amount, ownAddress(context.config.baseUrl, request));
  const paymentRequired = (error: PredictionMarketError): RawAnswer =>
    offer.paymentRequired(error, dependencies.nonces.issue(offer.scope));
  // The answer to HEAD has no body, so there is nothing to sell.
  if (request.method === 'HEAD' || !presentsPayment(request.headers))
    return paymentRequired(PAYMENT_REQUIRED);
  // The body is read before the meter counts the payment as in work. So senders who withhold their bodies do not
  // use up the limit of payments in work.
  const takeInput = early === null ? await readAhead(options, request, response) : () => early;
  try {
    return await dependencies.meter.run(request, (onCost) =>
      redeem(paidRequest, dependencies, options, { ...offer, takeInput, onCost }),
    );
  } catch (error) {
    if (!isPredictionMarketError(error) || ERROR_TABLE[error.code].status !== 402) throw error;
    const refusal = paymentRequired(error);
    return error instanceof UsedPaymentError ? withReceipt(refusal, error, paidRequest) : refusal;
  }
}

/** The receipt tells the payer's program that the payment was charged: the code of the refusal does not. */
function withReceipt(
  { status, contentType, text, headers }: RawAnswer,
  { payment }: UsedPaymentError,
  { context, request }: PaidRequest,
): RawAnswer {
  const { form } = readPayment(request.headers, context.config).payment;
  const receipt = receiptHeader(form, payment, context.config.network);
  return new RawAnswer(status, contentType, text, { ...headers, ...receipt });
}

interface Presented<Input> extends Offer {
  takeInput: () => ReadInput<Input>;
  onCost: () => void;
}

async function redeem<Input>(
  { context, request, response }: PaidRequest,
  { paidCalls, nonces }: PaidRouteDependencies,
  options: OptionsWithReader<Input>,
  { scope, requirements, takeInput, onCost }: Presented<Input>,
): Promise<RawAnswer> {
  const { payment, accepted } = readPayment(request.headers, context.config);
  const refusal = paymentRefusal(context, nonces, payment, scope) ?? termsRefusal(accepted, requirements);
  const { input, sent } = takeInput();
  const { from, nonce } = payment.authorization;
  const paid = await paidCalls.pay({
    call: options.command(input),
    key: { asset: context.config.asset, payer: from, nonce },
    amount: scope.amount,
    details: { payment, requirements },
    fingerprint: fingerprintOf(scope, request, sent),
    refusal,
    onCost,
  });
  // The payment counts as delivered when the last byte is sent. Until then the payer may ask for the answer
  // again.
  response.once('finish', () => void paidCalls.delivered(paid.payment));
  const { status, headers, body } = paid.answer;
  const { 'Content-Type': contentType = '', ...others } = headers;
  const receipt = receiptHeader(payment.form, paid.payment, context.config.network);
  return new RawAnswer(status, contentType, body, { ...others, ...receipt });
}

/**
 * Reads the input. Resolves with a function that returns the input, or throws the error in the input. The caller calls
 * this function later, because an unreadable payment is reported before an error in the input.
 */
async function readAhead<Input>(
  options: OptionsWithReader<Input>,
  request: Request,
  response: Response,
): Promise<() => ReadInput<Input>> {
  try {
    const input = await read(options, request, response);
    return () => input;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

async function read<Input>(
  { queryOf, body }: OptionsWithReader<Input>,
  request: Request,
  response: Response,
): Promise<ReadInput<Input>> {
  if (queryOf !== null) return { input: queryOf(request), sent: '' };
  if (body === undefined) throw new TypeError('a paid route has a query or a body');
  const raw = await readBody(request, response);
  return { input: parseBody(body, raw), sent: JSON.stringify(raw) };
}

/** A payment serves one request only. The fingerprint identifies the request. */
function fingerprintOf(
  { method, path }: { method: string; path: string },
  request: Request,
  sent: string,
): string {
  const parts = JSON.stringify([method, path, searchText(request), sent]);
  return hash('sha256', parts);
}

function termsRefusal(
  accepted: PresentedPayment['accepted'],
  requirements: PaymentRequirements,
): PredictionMarketError | null {
  const problem = termProblem(accepted, requirements);
  return problem === null ? null : invalidPayment(problem);
}

/**
 * This error is made once, so that the 402 answers do not each collect a stack trace. The error is sent and never
 * thrown.
 */
const PAYMENT_REQUIRED = new PredictionMarketError(
  'PAYMENT_REQUIRED',
  'This call must be paid for: send X-PAYMENT or PAYMENT-SIGNATURE',
);
