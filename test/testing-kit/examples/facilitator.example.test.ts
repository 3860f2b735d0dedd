import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals'; // or from 'vitest'
import type {
  Facilitator,
  LookupResult,
  SettleResult,
  SupportedResult,
  VerifyResult,
} from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import {
  facilitatorConformance,
  testClock,
  testWallet,
  type FacilitatorUnderTest,
  type LostAnswer,
} from 'express-prediction-market/testing';

interface RemoteOptions {
  url: string;
  key: string;
  timeoutMs?: number;
}

/**
 * A facilitator that asks a service of your own. The service takes `{ payment, requirements }` and answers with the
 * results of the port.
 */
function remoteFacilitator({ url, key, timeoutMs = 10_000 }: RemoteOptions): Facilitator {
  async function call<Result extends { status: string }>(
    path: string,
    statuses: Result['status'][],
    body: object = {},
  ): Promise<Result> {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
      redirect: 'error', // the key goes to no other server
      signal,
    });
    const result = (await jsonOf(response, signal)) as Result;
    // An answer with an unknown status or a wrong field says nothing about the payment, so it counts as a failure.
    if (!response.ok || !statuses.includes(result.status) || !fits(result))
      throw new Error(`HTTP ${response.status}`);
    return result;
  }

  // Operators and payers see the reason. The text of an error could contain the address or the key, so it is not used.
  const reason = 'the facilitator did not answer';
  return {
    name: 'remote',
    verify: (payment, requirements) =>
      call<VerifyResult>('/verify', ['valid', 'invalid', 'insufficient_funds', 'spent'], {
        payment,
        requirements,
      }).catch(() => ({ status: 'unavailable', reason })),
    settle: (payment, requirements) =>
      call<SettleResult>('/settle', ['settled', 'invalid', 'insufficient_funds', 'spent', 'unknown'], {
        payment,
        requirements,
      }).catch((error: unknown) => ({ status: wasNotSent(error) ? 'unavailable' : 'unknown', reason })),
    lookup: (payment, requirements) =>
      call<LookupResult>('/lookup', ['settled', 'unused', 'invalid', 'unknown'], {
        payment,
        requirements,
      }).catch(() => ({ status: 'unknown', reason })),
    supported: () =>
      call<SupportedResult>('/supported', ['supported']).catch(() => ({ status: 'unavailable', reason })),
  };
}

/** The body as JSON. Node 20 may forget the signal of `fetch` while the body is on its way, so it is watched here too. */
function jsonOf(response: Response, signal: AbortSignal): Promise<unknown> {
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')));
  });
  return Promise.race([response.json(), late]);
}

/** Whether the fields of an answer can be used. */
function fits(answer: {
  status: string;
  reason?: unknown;
  transaction?: unknown;
  spentAt?: unknown;
  kinds?: unknown;
}): boolean {
  const { status, reason, transaction, spentAt = 0, kinds } = answer;
  if (status === 'supported') return Array.isArray(kinds) && kinds.length > 0 && kinds.every(isKind);
  if (status === 'invalid' || status === 'spent' || status === 'unknown') return typeof reason === 'string';
  if (status !== 'settled') return true;
  const isHash = typeof transaction === 'string' && /^0x[0-9a-f]{64}$/i.test(transaction);
  return (isHash || transaction === null) && Number.isInteger(spentAt);
}

function isKind(kind: unknown): boolean {
  const { x402Version, scheme, network } = Object(kind) as Record<string, unknown>;
  const isKnown = x402Version === 1 || x402Version === 2;
  return isKnown && typeof scheme === 'string' && typeof network === 'string';
}

/** Without a connection no byte was sent. After any other error the service may have got the payment. */
function wasNotSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === 'ECONNREFUSED' || cause?.code === 'ENOTFOUND';
}

const KEY = 'a-secret-of-the-service';
const GARBAGE = { nonsense: '{"hello":"world"}', malformed: '{"status": "settl' };
const payer = testWallet('payer');
const pauper = testWallet('pauper');
const requirements = {
  amount: '1000',
  currency: 'USDC' as const,
  network: 'eip155:8453',
  payTo: '0x00000000000000000000000000000000000000aa',
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  maxTimeoutSeconds: 300,
  resource: { url: 'http://localhost/feed', description: 'Snapshot', mimeType: 'application/json' },
};

/** Here the service is play money behind a server of this process. Its clock is moved by the test. */
async function service(): Promise<FacilitatorUnderTest> {
  const clock = testClock(Date.now());
  const balances = { [payer.address]: 100_000n };
  const money = developmentFacilitator({ startingBalance: 0n, balances, clock, warn: () => undefined });
  let lost: LostAnswer | null = null;
  let lostStatus: number | undefined;
  let spoil = (body: string): string => body;
  let silent: 'nothing' | 'halfBody' | null = null;
  let error = 200;
  let headers = {};
  /** Submits the payment whose connection broke before it arrived. */
  let late = async (): Promise<unknown> => undefined;
  /** Payments that the service has taken but not settled yet, by nonce. With `null`, it settles at once. */
  let pending: Map<string, () => Promise<unknown>> | null = null;
  let arrive = () => {};
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const part of request) body += part;
    if (silent !== null) return silent === 'halfBody' && response.writeHead(200).write('{"status":');
    if (error !== 200) return response.writeHead(error, headers).end('{"error":"busy"}');
    const { payment, requirements: asked } = JSON.parse(body);
    const method = request.url?.slice(1) as 'verify' | 'settle' | 'lookup' | 'supported';
    const nonce = payment?.authorization.nonce;
    if (method === 'settle' && pending !== null) {
      pending.set(nonce, () => money.settle(payment, asked));
      arrive();
    }
    if (method === 'settle' && lost === 'late') {
      lost = null;
      late = () => money.settle(payment, asked);
      return response.destroy();
    }
    if (pending?.has(nonce)) return response.end('{"status":"unknown","reason":"pending"}');
    const result = await money[method](payment, asked);
    if (method !== 'settle' || lost === null) return response.end(spoil(JSON.stringify(result)));
    const how = lost;
    lost = null;
    if (how === 'silence') return response;
    if (how === 'cut' || how === 'late') return response.destroy();
    if (how === 'error' || how === 'denied')
      return response.writeHead(how === 'error' ? (lostStatus ?? 500) : 401).end('{}');
    return response.end(GARBAGE[how]);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const restore = async () => {
    spoil = (body) => body;
    silent = null;
    error = 200;
    headers = {};
  };
  return {
    facilitator: remoteFacilitator({ url, key: KEY, timeoutMs: 2_000 }),
    requirements,
    payer,
    pauper,
    now: () => clock.now(), // milliseconds
    received: async () => money.balanceOf(requirements.payTo),
    looksUp: true,
    times: ['spentAt'], // with a chain to ask: ['spentAt', 'asOf']
    secrets: [KEY],
    another: async () => remoteFacilitator({ url, key: KEY, timeoutMs: 2_000 }),
    stranger: async (payment: Parameters<Facilitator['settle']>[0]) => {
      await money.settle(payment, { ...requirements, payTo: payment.authorization.to });
    },
    loseAnswer: async (how: LostAnswer, status?: number) => {
      lostStatus = status;
      lost = how; // the next submission is carried out, but for `late` only when the suite calls this function
      return async () => void (await late());
    },
    hold: async () => {
      pending = new Map();
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      return {
        arrived: () => arrived, // `settle` may still wait for its result then
        release: async () => {
          for (const submit of pending?.values() ?? []) await submit();
          pending = null;
        },
      };
    },
    garble: async (nonsense: (body: string) => string) => {
      spoil = nonsense; // the suite makes the nonsense; the service carries out what it is asked
      return restore;
    },
    silence: async (form: 'nothing' | 'halfBody') => {
      silent = form; // longer than the time limit of the adapter
      return restore;
    },
    failWith: async (status: number) => {
      error = status; // ten statuses from 400 to 503; the service carries out nothing
      return restore;
    },
    redirect: async (location: string) => {
      error = 307;
      headers = { location };
      return restore;
    },
    cutOff: close,
    moveClock: async (seconds: number) => clock.advance(seconds * 1000),
    destroy: close,
  };
}

facilitatorConformance({ describe, it, expect }, { create: service, timeLimitMs: 20_000 });
