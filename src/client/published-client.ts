/**
 * Paid calls through a published client of x402. Such a client wraps a fetch: it sends the request, reads the
 * 402 answer, signs, and sends the request again with the payment. The fetch below it is ours, so that a request
 * whose answer was lost is sent again with the same payment.
 */
import { read, type Answered, type Refused, type SentRequest } from './attempt';
import type { SentPayment } from './errors';
import type { Connection, Fetch, PaidFetch } from './options';
import { errorOf, tryToSend, type Failed, type Sending } from './send';

const PAYMENT_HEADERS = ['PAYMENT-SIGNATURE', 'X-PAYMENT'] as const;

export async function throughClient(
  connection: Connection,
  sending: Sending,
  wrap: (fetch: Fetch) => PaidFetch,
): Promise<Answered> {
  let last: Failed | undefined;
  const below: Fetch = async (input, init) => {
    const request = await sentRequestOf(input, init, sending.request.path);
    const payment = paymentIn(request.headers);
    const paid = payment === null ? {} : { payment, repeatable: 'paid' as const };
    const result = await tryToSend(connection, { ...sending, ...paid, request });
    last = 'error' in result ? result : undefined;
    if (!('error' in result)) return responseOf(result);
    if (result.failure.kind === 'lost') throw result.error;
    return responseOf(result.failure);
  };
  const { method, url, headers, body } = sending.request;
  const { signal } = sending.options;
  const init = { method, headers: { ...headers }, ...(body !== null && { body }), ...(signal && { signal }) };
  let response: Response;
  try {
    response = await wrap(below)(url, init);
  } catch (error) {
    // A refused payment and a lost answer are told by our own error. All else is the client's to tell: a wallet
    // that does not sign, or a price above its limit.
    const isOurs = last !== undefined && (last.failure.kind === 'lost' || last.error.payment !== null);
    throw isOurs ? last?.error : error;
  }
  const result = read(response, await response.text());
  if (result.kind === 'answered') return result;
  const now = connection.timers.now();
  throw last?.error ?? errorOf(sending, result, { attempts: 1, unknownBefore: false, now });
}

/** Some clients call fetch with an address, others with a `Request`, whose body can be read once only. */
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
  // The body is written anew, neither compressed nor of the same length.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name);
  return new Response(JSON.stringify(body), { status, headers: kept });
}
