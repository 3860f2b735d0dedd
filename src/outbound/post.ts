/**
 * One POST to a URL that a user has given. Without `allowPrivate`, the connection goes only to a public address.
 * Redirects are not followed.
 */
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { checkedLookup, obstacle, PrivateAddressError, systemResolve, type Resolve } from './addresses';

export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The body as JSON. */
  body: string;
  signal: AbortSignal;
}

export interface PostAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  /** The beginning of the answer's body. */
  text: string;
}

/** There was no answer. The message names no address, because an address may hold a secret. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError';
}

export interface Poster {
  /** Posts and returns the answer. @throws NoAnswerError */
  post(post: Post): Promise<PostAnswer>;
  close(): void;
}

export interface PosterOptions {
  /** Whether posts may also go to addresses that are not public, and without TLS. */
  allowPrivate: boolean;
  longestAnswerBytes: number;
  /** Resolves the names of hosts. Default: the resolver of the system. */
  resolve?: Resolve;
}

/**
 * A connection is kept open for the next post. After four idle seconds we close it, so that the receiver rarely
 * closes it first.
 */
const KEPT = { keepAlive: true, timeout: 4_000, maxFreeSockets: 1, maxTotalSockets: 256 } as const;

/** Makes a poster. It shares its connections with no other code, which could have made them without a check. */
export function createPoster(options: PosterOptions): Poster {
  const { allowPrivate, longestAnswerBytes, resolve = systemResolve } = options;
  const lookup = checkedLookup(resolve, allowPrivate);
  const agents = { http: new HttpAgent(KEPT), https: new HttpsAgent(KEPT) };

  function send(url: URL, { headers, body, signal }: Post): ClientRequest {
    const given = {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        ...headers,
      },
      lookup,
      signal,
    };
    return url.protocol === 'https:'
      ? httpsRequest(url, { ...given, agent: agents.https })
      : httpRequest(url, { ...given, agent: agents.http });
  }

  async function attempt(url: URL, post: Post): Promise<PostAnswer> {
    const request = send(url, post);
    let answer: IncomingMessage;
    try {
      answer = await new Promise<IncomingMessage>((fulfil, reject) => {
        request.once('response', fulfil).once('error', reject).end(post.body);
      });
    } catch (error) {
      // The receiver has closed the connection that was kept open. That does not mean that the receiver refuses
      // posts, so the post is sent again.
      if (request.reusedSocket && codeOf(error) === 'ECONNRESET' && !post.signal.aborted)
        return attempt(url, post);
      throw error;
    }
    const { statusCode: status = 0, headers } = answer;
    return { status, headers, text: await beginningOf(answer, longestAnswerBytes) };
  }

  return {
    async post(post) {
      const url = new URL(post.url);
      if (!allowPrivate && obstacle(url) !== null) throw notPublic();
      try {
        return await attempt(url, post);
      } catch (error) {
        if (error instanceof PrivateAddressError) throw notPublic();
        throw new NoAnswerError(`the receiver could not be reached (${codeOf(error)})`);
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function notPublic(): NoAnswerError {
  return new NoAnswerError("the receiver's address is not public");
}

/**
 * The code of an error, such as `ECONNREFUSED`. Unlike the message of the error, the code names no address.
 */
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown error';
}

/**
 * At most the first `longest` bytes of the body. If the body is longer, the connection is closed. If the connection
 * breaks, the bytes that have arrived are returned.
 */
async function beginningOf(answer: IncomingMessage, longest: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > longest) break;
    }
  } catch {
    answer.destroy();
  }
  return Buffer.concat(chunks).subarray(0, longest).toString('utf8');
}
