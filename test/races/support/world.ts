import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Wallet } from 'ethers';
import express from 'express';
import { manualOracle } from '../../../adapters/oracle/manual';
import type { PredictionMarketOptions } from '../../../src/prediction-market-options';
import { createPredictionMarket, type PredictionMarket } from '../../../src/create-prediction-market';
import { fakeFacilitator } from '../../../testing/fake-facilitator';
import { testClock } from '../../../testing/test-clock';
import { testWallet } from '../../../testing/test-wallets';
import { signChallenge, type Challenge, type SignedChallenge } from '../../support/sign-challenge';
import type { StorageHome } from '../../support/storages';

const DAY_MS = 86_400_000;
const UNLIMITED = 1_000_000;

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Sent {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
  instance?: number;
}

export interface RaceWorld {
  /** Paths are relative to `/api/v2`, or begin with `/ops` for the operators' routes. */
  call<Body = Record<string, unknown>>(method: string, path: string, sent?: Sent): Promise<Answer<Body>>;
  must<Body = Record<string, unknown>>(
    status: number,
    method: string,
    path: string,
    sent?: Sent,
  ): Promise<Body>;
  signed(wallet: Wallet, action: string, keyId?: number): Promise<SignedChallenge>;
  issueKey(wallet: Wallet): Promise<IssuedKey>;
  fund(wallet: Wallet, usd: number): Promise<void>;
  openMarket(question: string): Promise<number>;
  balance(wallet: Wallet): Promise<number>;
  expectCleanAudit(): Promise<void>;
  close(): Promise<void>;
}

export interface IssuedKey {
  id: number;
  apiKey: string;
}

interface Instance {
  pm: PredictionMarket;
  server: Server;
  base: string;
}

export async function createRaceWorld(
  home: StorageHome,
  { instances: count, ...options }: { instances: number } & Partial<PredictionMarketOptions>,
): Promise<RaceWorld> {
  const clock = testClock();
  const instances: Instance[] = [];
  for (let index = 0; index < count; index += 1) {
    instances.push(await startInstance(home, { clock, ...options }));
  }
  let calls = 0;
  let deposits = 0;

  async function call<Body>(method: string, path: string, sent: Sent = {}): Promise<Answer<Body>> {
    const instance = instances[(sent.instance ?? (calls += 1)) % count];
    if (instance === undefined) throw new Error('no such instance');
    return request<Body>(instance.base, method, path, sent);
  }

  async function must<Body>(status: number, method: string, path: string, sent?: Sent): Promise<Body> {
    const answer = await call<Body>(method, path, sent);
    if (answer.status === status) return answer.body;
    throw new Error(
      `${method} ${path}: expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`,
    );
  }

  async function signed(wallet: Wallet, action: string, keyId?: number): Promise<SignedChallenge> {
    return signChallenge(wallet, async (address) => {
      const body = { address, action, ...(keyId === undefined ? {} : { keyId }) };
      return (await must<{ data: Challenge }>(200, 'POST', '/auth/challenge', { body })).data;
    });
  }

  async function issueKey(wallet: Wallet): Promise<IssuedKey> {
    const body = await signed(wallet, 'issue');
    return (await must<{ data: IssuedKey }>(201, 'POST', '/auth/token', { body })).data;
  }

  return {
    call,
    must,
    signed,
    issueKey,
    async fund(wallet, usd) {
      const body = { amount: usd, reference: `fund-${(deposits += 1)}` };
      await must(200, 'POST', `/ops/accounts/${wallet.address}/deposits`, { body });
    },
    async openMarket(question) {
      const creator = testWallet(`creator of ${question}`);
      await must(200, 'POST', `/ops/creators/${creator.address}/approve`);
      const { apiKey: key } = await issueKey(creator);
      const body = marketBody(question, clock.now());
      return (await must<{ id: number }>(201, 'POST', '/public/markets', { key, body })).id;
    },
    async balance(wallet) {
      return (await must<{ balance: number }>(200, 'GET', `/ops/accounts/${wallet.address}`)).balance;
    },
    async expectCleanAudit() {
      const { ok, differences } = await must<{ ok: boolean; differences: unknown[] }>(
        200,
        'GET',
        '/ops/audit',
      );
      expect({ ok, differences }).toEqual({ ok: true, differences: [] });
    },
    close: () => stopAll(instances, home),
  };
}

export function marketBody(question: string, now: number): Record<string, unknown> {
  return {
    question,
    resolutionCriteria: 'YES if the weather office measures any rain.',
    resolveDate: new Date(now + DAY_MS).toISOString(),
    category: 'science',
  };
}

async function startInstance(
  home: StorageHome,
  options: Partial<PredictionMarketOptions>,
): Promise<Instance> {
  const pm = createPredictionMarket({
    storage: home.handle(),
    oracle: manualOracle(),
    facilitator: fakeFacilitator(),
    payTo: testWallet('payee').address,
    keyRateLimit: UNLIMITED,
    addressRateLimit: UNLIMITED,
    failedAuthLimit: UNLIMITED,
    jobIntervalMs: DAY_MS,
    ...options,
  });
  await pm.start();
  const app = express();
  app.use('/ops', pm.adminRouter);
  app.use(pm.router);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { pm, server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function request<Body>(
  base: string,
  method: string,
  path: string,
  { key, body, headers }: Sent,
): Promise<Answer<Body>> {
  const response = await fetch(`${base}${path.startsWith('/ops') ? '' : '/api/v2'}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

async function stopAll(instances: readonly Instance[], home: StorageHome): Promise<void> {
  for (const { pm, server } of instances) {
    server.closeAllConnections();
    server.close();
    await pm.close();
  }
  await home.destroy();
}
