/** One POST that follows redirects. The address of each redirect is checked like the first address. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { boundedText } from '../../shared/bounded-text';
import { VoterError } from '../../shared/judge/errors';
import { isPrivateHost, PrivateAddressError } from '../../../src/outbound/addresses';

const MOST_REDIRECTS = 3;
const LONGEST_ANSWER_BYTES = 1_000_000;

export interface SignedPost {
  url: string;
  body: string;
  headers: Record<string, string>;
  lookup: LookupFunction;
  allowPrivate: boolean;
  signal: AbortSignal;
}

interface Reply {
  status: number;
  location: string | undefined;
  text: string;
}

/**
 * Resolves with the text of a 2xx answer. Throws a `VoterError` that names no address, because an address may
 * contain a secret.
 */
export async function postFollowing(post: SignedPost): Promise<string> {
  let url = new URL(post.url);
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    refuseForbidden(url, post.allowPrivate);
    const { status, location, text } = await send(url, post);
    if (status >= 200 && status < 300) return text;
    // The redirects 301 to 303 would turn the question into a GET without a body, so they are refused.
    if ((status !== 307 && status !== 308) || location === undefined)
      throw new VoterError(`the resolver answered HTTP ${status}`);
    if (!URL.canParse(location, url.href)) throw new VoterError('the resolver redirects to no address');
    url = new URL(location, url);
  }
  throw new VoterError(`the resolver redirects more than ${MOST_REDIRECTS} times`);
}

function refuseForbidden(url: URL, allowPrivate: boolean): void {
  const protocols = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!protocols.includes(url.protocol)) throw new VoterError('the resolver redirects to no https address');
  if (!allowPrivate && isPrivateHost(url)) throw notPublic();
}

function notPublic(): VoterError {
  return new VoterError("the resolver's address is not public; the option allowPrivate would allow it");
}

async function send(url: URL, { body, headers, lookup, signal }: SignedPost): Promise<Reply> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          'Content-Length': Buffer.byteLength(body),
          ...headers,
        },
        lookup,
        signal,
        // Each request has its own connection. A shared agent could reuse a connection to an address that was
        // never checked.
        agent: false,
      });
      sent.once('response', resolve).once('error', reject).end(body);
    });
    const { statusCode: status = 0 } = answer;
    const { location } = answer.headers;
    return { status, location, text: await readText(answer) };
  } catch (error) {
    if (error instanceof VoterError) throw error;
    if (error instanceof PrivateAddressError) throw notPublic();
    throw new VoterError('the resolver could not be reached');
  }
}

async function readText(answer: IncomingMessage): Promise<string> {
  const text = await boundedText(answer, LONGEST_ANSWER_BYTES);
  if (text === null)
    throw new VoterError(`the resolver answered with more than ${LONGEST_ANSWER_BYTES} bytes`);
  return text;
}
