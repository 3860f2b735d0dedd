/**
 * JSON-RPC of an EVM node through ethers, with time limits. The network detection of ethers is switched off,
 * because it can wait without end.
 */
import { FetchRequest, isError, JsonRpcProvider, Network } from 'ethers';

export { chainIdOf } from '../../../src/domain/x402-networks';

export interface Rpc {
  send(method: string, parameters: readonly unknown[]): Promise<unknown>;
  /** The answer to `eth_chainId`. The first answer is kept. */
  chainId(): Promise<number>;
}

export interface RpcOptions {
  url: string;
  /** The time limit of one request in milliseconds. Default 10,000. */
  timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/**
 * How many times at most a request is sent if the node answers it with 429. The pauses between the attempts
 * grow.
 */
const THROTTLED_ATTEMPTS = 3;
/** A shorter part of an address, such as `v2`, is no key. */
const SHORTEST_KEY = 8;
/** A shorter part of a host name is shown, because operators look for the host that cannot be reached. */
const SHORTEST_KEY_IN_HOST = 16;
/** How many levels deep an error is searched for keys. */
const DEEPEST_ERROR = 5;
/** `oneLine` shortens a text to this many characters. */
const LONGEST_TEXT = 300;

export function createRpc({ url, timeoutMs = DEFAULT_TIMEOUT_MS }: RpcOptions): Rpc {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new TypeError('rpcUrl: expected the http(s) address of a JSON-RPC node');
  const request = new FetchRequest(url);
  request.timeout = timeoutMs;
  request.setThrottleParams({ maxAttempts: THROTTLED_ATTEMPTS });
  // The provider needs a network as an argument and does not use it: it signs nothing and only passes requests
  // on.
  const provider = new JsonRpcProvider(request, Network.from(1), {
    staticNetwork: Network.from(1),
    batchMaxCount: 1,
    cacheTimeout: -1,
  });
  const keys = keysIn(new URL(url));
  let known: number | null = null;
  const send = async (method: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      return await (provider.send(method, [...parameters]) as Promise<unknown>);
    } catch (error) {
      throw withoutAddress(error, keys);
    }
  };
  return {
    send,
    async chainId() {
      known ??= quantity(await send('eth_chainId', []), 'eth_chainId');
      return known;
    },
  };
}

/** The error without the keys in the address of the node. */
function withoutAddress(error: unknown, keys: readonly string[]): unknown {
  // The error of ethers about an HTTP answer contains the whole address, so only its short message is kept.
  const shown: unknown = isError(error, 'SERVER_ERROR') ? new Error(error.shortMessage) : error;
  try {
    if (keys.length > 0 && typeof shown === 'object' && shown !== null) mask(shown, keys, DEEPEST_ERROR);
    return shown;
  } catch {
    return new Error('the node answered with an error that cannot be shown');
  }
}

/**
 * Replaces the keys in all texts of an error and of the objects in it. An object deeper than `depth` is replaced
 * as a whole.
 */
function mask(value: object, keys: readonly string[], depth: number): void {
  for (const name of Reflect.ownKeys(value)) {
    const found: unknown = Reflect.get(value, name);
    if (typeof found === 'string') {
      const masked = keys.reduce((text, key) => text.replaceAll(key, '…'), found);
      if (masked !== found) replace(value, name, masked);
    } else if (typeof found === 'object' && found !== null) {
      if (depth > 1) mask(found, keys, depth - 1);
      else replace(value, name, '…');
    }
  }
}

function replace(value: object, name: string | symbol, text: string): void {
  if (!Reflect.set(value, name, text)) throw new TypeError('an error has a text that cannot be replaced');
}

/**
 * The parts of the node's address that may be keys: the credentials, and parts of host, path and query with a
 * digit. A part without digits may be a word, such as `ethereum-mainnet`, that occurs in messages of the
 * node too.
 */
function keysIn({ username, password, hostname, pathname, search }: URL): string[] {
  const parts = [...pathname.split('/'), ...search.split(/[?&=]/)];
  const labels = hostname.split('.').filter((label) => label.length >= SHORTEST_KEY_IN_HOST);
  return [username, password, ...[...parts, ...labels].filter((part) => /\d/.test(part))].filter(
    (part) => part.length >= SHORTEST_KEY,
  );
}

/** A hexadecimal quantity as a number below 2^53. */
export function quantity(value: unknown, name: string): number {
  const number = Number(bigQuantity(value, name));
  if (!Number.isSafeInteger(number)) throw new TypeError(`${name}: expected a quantity within 2^53`);
  return number;
}

export function bigQuantity(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]+$/i.test(value))
    throw new TypeError(`${name}: expected a hexadecimal quantity`);
  return BigInt(value);
}

export const toQuantity = (value: bigint | number): string => `0x${value.toString(16)}`;

/**
 * The contract's reason for a revert, which proves that the node has run the call. `null` for other errors:
 * ethers gives every failed call the same code, even if the cause was the node's rate limit.
 */
export function revertReason(error: unknown): string | null {
  if (!isError(error, 'CALL_EXCEPTION')) return null;
  if (error.reason !== null) return oneLine(error.reason);
  const nodeError: unknown = error.info?.error;
  const message =
    typeof nodeError === 'object' && nodeError !== null && 'message' in nodeError
      ? String(nodeError.message)
      : '';
  return error.data !== null || /revert/i.test(message) ? oneLine(message || error.shortMessage) : null;
}

/** The JSON-RPC error object of the node. `null` when the failure is not an answer of the node. */
export function nodeError(error: unknown): { code: number; message: string } | null {
  for (const inner of [error, field(error, 'error'), field(field(error, 'info'), 'error')]) {
    const code = field(inner, 'code');
    const message = field(inner, 'message');
    if (typeof code === 'number' && typeof message === 'string') return { code, message };
  }
  return null;
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A text of the node, short and on one line, as it is stored and shown. */
export function oneLine(text: string): string {
  return text.slice(0, LONGEST_TEXT).replace(/[\p{Cc}\p{Cs}]+/gu, ' ');
}

export function errorText(error: unknown): string {
  const answered = nodeError(error);
  if (answered !== null) return oneLine(answered.message);
  if (!(error instanceof Error)) return oneLine(String(error));
  return oneLine(
    'shortMessage' in error && typeof error.shortMessage === 'string' ? error.shortMessage : error.message,
  );
}
