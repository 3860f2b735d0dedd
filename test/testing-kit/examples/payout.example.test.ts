import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals'; // or from 'vitest'
import type { Payout } from 'express-prediction-market';
import { payoutConformance, testWallet, type PayoutUnderTest } from 'express-prediction-market/testing';

interface CustodianOptions {
  url: string;
  apiKey: string;
  network: string;
  asset: string;
  timeoutMs?: number;
}

/** Pays through a custodian. The adapter chooses a key for each payout, and the custodian pays each key once. */
function custodianPayout({ url, apiKey, network, asset, timeoutMs = 10_000 }: CustodianOptions): Payout {
  async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown> | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${apiKey}` },
      signal,
      redirect: 'error', // the key goes to no other server
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      // Operators read this message. The error of `fetch` could contain the address, so the message does not repeat it.
      throw new Error('the custodian did not answer');
    });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`the custodian answered with HTTP ${response.status}`);
    return (await jsonOf(response, signal)) as Record<string, unknown>;
  }

  return {
    name: 'custodian',
    atOnce: 5,

    async prepare({ to, amount, ...order }, outstanding) {
      // The service gives lower case. The host may have written its token in EIP-55 form.
      if (order.network !== network || order.asset.toLowerCase() !== asset.toLowerCase())
        return { status: 'refused', reason: 'the custodian pays another token' };
      if (/^0x0+$/.test(to)) return { status: 'refused', reason: 'the token refuses this address' };
      const balance = await ask('GET', '/balance').catch(() => null);
      if (!/^\d+$/.test(String(balance?.amount)))
        return { status: 'unavailable', reason: 'the custodian did not answer' };
      // Payouts that are prepared and not ended need a part of the balance. States of other adapters count as 0.
      const owed = outstanding.reduce((sum, state) => sum + BigInt(ownState(state)?.amount ?? 0), 0n);
      if (BigInt(String(balance?.amount)) - owed < amount)
        return { status: 'unavailable', reason: 'the custodian holds too little' };
      // Each `prepare` makes a new key: the custodian would not pay the key of a failed payout again.
      const state = { of: 'custodian', key: randomUUID(), to, amount: String(amount) };
      return { status: 'prepared', state: JSON.stringify(state), transaction: null };
    },

    async submit(state) {
      const own = ownState(state);
      if (own === null) throw new Error('another adapter has prepared this payout');
      await ask('PUT', `/payouts/${own.key}`, { to: own.to, amount: own.amount });
    },

    async check(state) {
      const own = ownState(state);
      if (own === null)
        return { status: 'pending', trouble: 'another adapter has prepared this payout', unknown: true };
      // `null` means that the custodian does not know the key yet. It may still pay, so the payout is not `lost`.
      // Any error of the custodian rejects, because no error says what became of the payout.
      const found = await ask('GET', `/payouts/${own.key}`);
      // The money is sent, and the custodian may still get it back.
      if (found?.status === 'settling') return { status: 'pending', ending: true };
      if (found?.status === 'paid') return { status: 'confirmed', transaction: null };
      if (found?.status === 'failed')
        return { status: 'failed', transaction: null, reason: 'the custodian could not pay' };
      if (found?.status === 'cancelled')
        return { status: 'lost', reason: 'the custodian has cancelled the payout' };
      if (found === null || found.status === 'waiting') return { status: 'pending' };
      // A status that the adapter does not know proves nothing.
      return { status: 'pending', trouble: 'the custodian gives a status that is not known' };
    },
  };
}

/** The body as JSON. Node 20 may forget the signal of `fetch` while the body is on its way, so it is watched here too. */
function jsonOf(response: Response, signal: AbortSignal): Promise<unknown> {
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('too late')));
  });
  return Promise.race([response.json(), late]);
}

interface OwnState {
  key: string;
  to: string;
  amount: string;
}

/** `null` for a state that another adapter has made. It may be any text. */
function ownState(state: string): OwnState | null {
  try {
    const parsed = JSON.parse(state) as (OwnState & { of?: unknown }) | null;
    return parsed?.of === 'custodian' ? parsed : null;
  } catch {
    return null;
  }
}

const API_KEY = 'a-secret-of-the-custodian';
const TOKEN = { network: 'eip155:8453', asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' };

interface Kept {
  status: 'waiting' | 'settling' | 'paid' | 'failed' | 'cancelled';
  to: string;
  amount: string;
}

/** The custodian of the test: a server that a test can slow down, make forget, make fail, and take away. */
async function custodian(): Promise<PayoutUnderTest> {
  const payouts = new Map<string, Kept>();
  const received = new Map<string, bigint>();
  let treasury = 1_000_000_000n;
  let isSlow = false;
  let isSettling = false;
  let isForgetful = false;
  let losesAnswer = false;
  let silence: 'nothing' | 'halfBody' | null = null;
  let elsewhere: string | null = null;
  let error = 200;
  let spoil = (body: string): string => body;

  function pay(): void {
    for (const kept of payouts.values()) {
      if (kept.status !== 'waiting') continue;
      kept.status = isSettling ? 'settling' : 'paid';
      treasury -= BigInt(kept.amount);
      received.set(kept.to, (received.get(kept.to) ?? 0n) + BigInt(kept.amount));
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const say = (status: number, body: object): void => {
      const text = spoil(JSON.stringify(body));
      response.writeHead(status);
      if (silence === 'halfBody') response.write(text.slice(0, text.length / 2));
      else response.end(text);
    };
    if (silence === 'nothing') return;
    if (elsewhere !== null) return void response.writeHead(307, { location: elsewhere }).end();
    if (error !== 200) return say(error, { error: 'busy' });
    if (request.headers.authorization !== `Bearer ${API_KEY}`) return say(401, {});
    if (request.url === '/balance') return say(200, { amount: String(treasury) });
    const key = String(request.url).replace('/payouts/', '');
    if (request.method === 'PUT') {
      const asked = (await json(request)) as Kept;
      if (!payouts.has(key)) payouts.set(key, { ...asked, status: 'waiting' });
      if (!isSlow) pay();
      if (losesAnswer) {
        losesAnswer = false;
        return void response.destroy();
      }
    }
    const kept = isForgetful ? undefined : payouts.get(key);
    return kept === undefined ? say(404, {}) : say(200, { status: kept.status });
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const end = async (state: string, status: 'failed' | 'cancelled'): Promise<void> => {
    const { key, to, amount } = JSON.parse(state) as OwnState;
    payouts.set(key, { status, to, amount });
  };

  const restore = async (): Promise<void> => {
    silence = null;
    elsewhere = null;
    error = 200;
    spoil = (body) => body;
  };

  let id = 0;
  const order = () => {
    id += 1;
    return { id, to: testWallet(`payee ${id}`).address.toLowerCase(), amount: 1_000_000n, ...TOKEN };
  };
  const make = (): Payout => custodianPayout({ url, apiKey: API_KEY, ...TOKEN, timeoutMs: 2_000 });
  return {
    payout: make(),
    order,
    another: async () => make(),
    received: async ({ to }: { to: string }) => received.get(to) ?? 0n, // not asked of the adapter
    treasury: async () => treasury,
    fund: async (amount: bigint) => void (treasury += amount),
    unpayable: () => ({ ...order(), to: `0x${'0'.repeat(40)}` }),
    stall: async () => {
      isSlow = true;
      return async () => {
        isSlow = false;
        pay();
      };
    },
    provisional: async () => {
      isSettling = true; // payouts are made, and the custodian shows that this may still change
      return async () => {
        isSettling = false;
        for (const kept of payouts.values()) if (kept.status === 'settling') kept.status = 'paid';
      };
    },
    overtake: (state: string) => end(state, 'cancelled'), // it can never be paid, and the custodian says so
    fail: (state: string) => end(state, 'failed'), // it was tried and failed, and the custodian says so
    hide: async () => void (isForgetful = true), // 404 for every payout, also for those that were paid
    loseAnswer: async () => void (losesAnswer = true), // the next payout is taken, and the connection breaks
    failWith: async (status: number) => {
      error = status; // 401, 404, 429, 500 and others
      return restore;
    },
    garble: async (nonsense: (body: string) => string) => {
      spoil = nonsense; // the suite makes the nonsense
      return restore;
    },
    redirect: async (address: string) => {
      elsewhere = address; // 307 for every request, and the suite looks for the key there
      return restore;
    },
    silence: async (form: 'nothing' | 'halfBody') => {
      silence = form; // longer than the time limit of the adapter
      return restore;
    },
    cutOff: close,
    secrets: [API_KEY],
    destroy: close,
  };
}

payoutConformance({ describe, it, expect }, { create: custodian });
