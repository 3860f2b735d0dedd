import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until';
import { becomeCreator, call, issueKey, type Answer } from './client';
import { address, start, type Running } from './process';
import { randomWallet } from '../../support/random-wallet';

const ADMIN_TOKEN = 'an-admin-token-for-tests';
export const OPERATOR = { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } };

export interface Service {
  base: string;
  running: Running;
  key: string;
  stop(): Promise<void>;
}

export async function serveWithOracle(environment: Record<string, string>): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'standalone-oracle-'));
  const running = start({
    ADMIN_TOKEN,
    DATABASE_URL: `sqlite:${join(folder, 'markets.db')}`,
    RESOLUTION_INTERVAL_MS: '10',
    ADDRESS_RATE_LIMIT: '100000',
    ...environment,
  });
  const base = await address(running);
  const wallet = randomWallet();
  const key = await issueKey(base, wallet);
  // The tests send more requests than the default quota of a key allows.
  await ok(call(base, '/admin/keys/1', { ...OPERATOR, method: 'PATCH', body: { rateLimit: 10_000 } }));
  await becomeCreator(base, wallet, ADMIN_TOKEN);
  const deposit = { amount: 1000, reference: 'start' };
  await ok(call(base, `/admin/accounts/${wallet.address}/deposits`, { ...OPERATOR, body: deposit }));
  const stop = async (): Promise<void> => {
    running.child.kill('SIGTERM');
    await running.exit;
    rmSync(folder, { recursive: true, force: true });
  };
  return { base, running, key, stop };
}

export async function ok(answer: Promise<Answer>): Promise<Record<string, unknown>> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return (body['data'] ?? body) as Record<string, unknown>;
}

/** The wallet holds 100 shares of YES in this market. The market is closed, so the models are asked next. */
export async function closedMarket({ base, key }: Service, question = 'Will it rain?'): Promise<number> {
  const keyed = { headers: { 'x-api-key': key } };
  const body = {
    question,
    description: 'A day in June.',
    resolutionCriteria: 'Look out of the window.',
    resolveDate: new Date(Date.now() + 7_200_000).toISOString(),
    category: 'science',
  };
  const market = await ok(call(base, '/public/markets', { ...keyed, body }));
  const id = market['id'] as number;
  await ok(
    call(base, `/public/markets/${id}/trade`, {
      ...keyed,
      body: { action: 'buy', side: 'YES', shares: 100 },
    }),
  );
  await ok(call(base, `/admin/markets/${id}/close`, { ...OPERATOR, body: {} }));
  return id;
}

export interface Evidence {
  status: string;
  rounds: { round: number; votes: { oracle: string; outcome: string; error?: string }[] }[];
}

export const evidence = async ({ base }: Service, id: number): Promise<Evidence> =>
  (await ok(call(base, `/admin/markets/${id}/resolution`, OPERATOR))) as unknown as Evidence;
export const read = ({ base, key }: Service, path: string): Promise<Record<string, unknown>> =>
  ok(call(base, path, { headers: { 'x-api-key': key } }));
export const marketOf = (service: Service, id: number): Promise<Record<string, unknown>> =>
  read(service, `/public/markets/${id}`);
export const balance = async (service: Service): Promise<number> =>
  (await read(service, '/public/balance'))['balance'] as number;

export async function resolved(service: Service, id: number): Promise<Record<string, unknown>> {
  await until(async () => (await marketOf(service, id))['status'] === 'resolved');
  return (await marketOf(service, id))['resolution'] as Record<string, unknown>;
}
export const rounds = async (service: Service, id: number): Promise<number> =>
  (await evidence(service, id)).rounds.filter(({ votes }) => votes.length > 0).length;
export const state = async (service: Service, id: number): Promise<string> =>
  (await evidence(service, id)).status;

export async function expectSoundBooks({ base }: Service): Promise<void> {
  expect(await ok(call(base, '/admin/audit', OPERATOR))).toMatchObject({ ok: true });
}
