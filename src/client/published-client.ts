/**
 * Paid calls through a published client of x402. Such a client wraps a fetch: it sends the request, reads the 402
 * answer, signs, and sends the request again with the payment. The fetch that it wraps is ours, so that a request
 * whose answer was lost is sent again with the same payment.
 *
 * The client loads this file when it is needed. The file imports only types, so that bundlers leave the rest of the
 * client in one piece.
 */
import type { lost, read, Answered, Refused, SentRequest } from './attempt';
import type { PredictionMarketApiError, SentPayment } from './errors';
import type { ServiceConnection, Fetch, PaidFetch } from './options';
import type { errorOf, tryToSend, Failed, Sending } from './send';

const PAYMENT_HEADERS = ['PAYMENT-SIGNATURE', 'X-PAYMENT'] as const;

/** The connection, and the functions of other files that this file uses. */
export interface Sender {
  connection: ServiceConnection;
  tryToSend: typeof tryToSend;
  read: typeof read;
  lost: typeof lost;
  errorOf: typeof errorOf;
}

export async function throughClient(
  sender: Sender,
  sending: Sending,
  wrap: (fetch: Fetch) => PaidFetch,
): Promise<Answered> {
  const { connection, tryToSend, read, errorOf } = sender;
  const sent: Sent = { last: null, payment: null };

  const below: Fetch = async (input, init) => {
    const request = await sentRequestOf(input, init, sending.request.path);
    const next = paymentIn(request.headers);
    const open = openError(sent);
    // The last payment may have been charged, so no other payment is sent for the same call.
    if (open !== null && next?.value !== sent.payment?.value) throw open;
    const paid = { ...paidBy(next), mayHaveBeenSent: open !== null };
    Object.assign(sent, { last: null, payment: next });
    const result = await tryToSend(connection, { ...sending, ...paid, request });
    sent.last = result;
    if (!('error' in result)) return responseOf(result);
    // The error is thrown, because the published client would sign another payment if it got a 402 answer.
    if (result.failure.kind === 'lost' || openError(sent) !== null) throw result.error;
    return responseOf(result.failure);
  };

  const { method, url, headers, body } = sending.request;
  const { signal } = sending.options;
  const init = { method, headers: { ...headers }, ...(body !== null && { body }), ...(signal && { signal }) };
  let response: Response;
  try {
    response = await wrap(below)(url, init);
  } catch (error) {
    throw ownError(sent) ?? errorAfter(sender, sending, sent, error);
  }
  const open = openError(sent);
  if (open !== null) throw open;
  const result = await read(response, sending.request);
  if (result.kind === 'answered') return result;
  const { last, payment } = sent;
  if (last !== null && 'error' in last) throw last.error;
  const circumstances = { attempts: 1, unknownBefore: payment !== null, now: connection.timers.now() };
  throw errorOf({ ...sending, ...paidBy(payment) }, result, circumstances);
}

/** The payment and the result of the published client's last request. */
interface Sent {
  payment: SentPayment | null;
  last: Answered | Failed | null;
}

/** The error of a payment that may have been charged, although its request failed; else null. */
function openError({ last }: Sent): PredictionMarketApiError | null {
  return last !== null && 'error' in last && last.error.outcome === 'unknown' ? last.error : null;
}

/**
 * Our error if a payment was refused or an answer was lost. Null if the published client failed by itself, for
 * example because the wallet did not sign.
 */
function ownError({ last }: Sent): PredictionMarketApiError | null {
  if (last === null || !('error' in last)) return null;
  return last.failure.kind === 'lost' || last.error.payment !== null ? last.error : null;
}

/**
 * The error to throw if the published client fails by itself. If it has sent a payment, the payer may have been
 * charged.
 */
function errorAfter(
  { connection, lost, errorOf }: Sender,
  sending: Sending,
  { last, payment }: Sent,
  cause: unknown,
): unknown {
  if (payment === null) return cause;
  const failure = lost('PAYMENT_CLIENT_FAILED', 'payWith failed after it had sent a payment', cause);
  if (last !== null && 'body' in last) {
    // The error carries this answer, because the service might not send it a second time.
    const { status, headers, body } = last;
    Object.assign(failure, { status, headers, body });
  }
  const circumstances = { attempts: 1, unknownBefore: true, now: connection.timers.now() };
  return errorOf({ ...sending, ...paidBy(payment) }, failure, circumstances);
}

function paidBy(payment: SentPayment | null): Partial<Sending> {
  return payment === null ? {} : { payment, repeatable: 'paid' };
}

/** The request of the published client, with its body as text. The body of a `Request` could be read only once. */
async function sentRequestOf(
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
  path: string,
): Promise<SentRequest> {
  const request = new Request(input, init);
  const body = await request.text();
  return {
    method: request.method,
    url: request.url,
    path,
    headers: Object.fromEntries(request.headers.entries()),
    body: body === '' ? null : body,
  };
}

function paymentIn(headers: Readonly<Record<string, string>>): SentPayment | null {
  for (const header of PAYMENT_HEADERS) {
    const value = headers[header.toLowerCase()];
    if (value !== undefined) return { header, value };
  }
  return null;
}

function responseOf({ status, headers, body }: Answered | Refused): Response {
  const kept = new Headers(headers);
  // `JSON.stringify` writes the body uncompressed, and possibly with another length.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name);
  return new Response(JSON.stringify(body), { status, headers: kept });
}
