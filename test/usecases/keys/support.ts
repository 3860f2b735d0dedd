import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Wallet } from 'ethers';
import { memoryStorage } from '../../../adapters/storage/memory';
import { sqliteStorage } from '../../../adapters/storage/sqlite';
import { resolveOptions } from '../../../src/config';
import type { PredictionMarketOptions } from '../../../src/prediction-market-options';
import { isPredictionMarketError } from '../../../src/domain/errors';
import type { ChallengeAction } from '../../../src/domain/types';
import type { PublishedEvent } from '../../../src/domain/events';
import type { Logger } from '../../../src/ports/logger';
import { silentLogger } from '../../../src/ports/logger';
import type { Storage } from '../../../src/ports/storage';
import { seededRandom, testClock, type TestClock } from '../../../testing';
import type { SignedCommand } from '../../../src/usecases/commands';
import type { OperatorContext } from '../../../src/usecases/context';
import { issueChallenge } from '../../../src/usecases/keys/issue-challenge';
import { issueKey } from '../../../src/usecases/keys/issue-key';
import { createAlarms } from '../../../src/usecases/alarms';
import { createOracleAnswerCache } from '../../../src/usecases/resolution/oracle-answer-cache';
import { createMarketLookup } from '../../../src/usecases/markets/market-lookup';
import { eventsOfFact } from '../../../src/events/events-of-fact';
import type { IssuedKeyView } from '../../../src/views/key';
import { signChallenge } from '../../support/sign-challenge';

export const STORAGES: [string, () => { storage: Storage; remove: () => void }][] = [
  ['memory', () => ({ storage: memoryStorage(), remove: () => undefined })],
  [
    'sqlite',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'keys-'));
      const storage = sqliteStorage({ file: join(folder, 'keys.db') });
      return { storage, remove: () => rmSync(folder, { recursive: true, force: true }) };
    },
  ],
];

export interface KeyWorld {
  context: OperatorContext;
  clock: TestClock;
  wakeUps: () => number;
  sign: (wallet: Wallet, action: ChallengeAction, options?: SignOptions) => Promise<SignedCommand>;
  issue: (wallet: Wallet, label?: string) => Promise<IssuedKeyView>;
  events: () => Promise<PublishedEvent[]>;
  close: () => Promise<void>;
}

export interface SignOptions {
  keyId?: number | null;
  format?: 'text' | 'siwe';
}

export const addressOf = (wallet: Wallet): string => wallet.address.toLowerCase();

export async function createKeyWorld(
  [, create]: (typeof STORAGES)[number],
  options: Partial<PredictionMarketOptions> & { logger?: Logger } = {},
): Promise<KeyWorld> {
  const { storage, remove } = create();
  await storage.open({ logger: silentLogger });
  const clock = testClock();
  const events = { appended: 0 };
  const context = contextOn(storage, clock, events, options);
  const sign: KeyWorld['sign'] = async (wallet, action, { keyId = null, format = 'text' } = {}) => {
    const address = addressOf(wallet);
    const signed = await signChallenge(wallet, () =>
      issueChallenge(context, { address, action, keyId, format }),
    );
    return { ...signed, address };
  };
  return {
    context,
    clock,
    wakeUps: () => events.appended,
    sign,
    issue: async (wallet, label) =>
      issueKey(context, { ...(await sign(wallet, 'issue')), label: label ?? null, scopes: null }),
    events: async () => {
      await storage.transaction((transaction) => transaction.events.sequence(1000));
      const rows = await storage.read((reader) => reader.events.after(0, 1000));
      return rows.flatMap(eventsOfFact);
    },
    close: async () => {
      await storage.close();
      remove();
    },
  };
}

function contextOn(
  storage: Storage,
  clock: TestClock,
  events: { appended: number },
  options: Partial<PredictionMarketOptions>,
): OperatorContext {
  const never = (): Promise<never> => Promise.reject(new Error('Not asked in these tests'));
  const resolved = resolveOptions({
    oracle: { name: 'none', ask: never },
    facilitator: { name: 'none', verify: never, settle: never, lookup: never, supported: never },
    payTo: `0x${'5'.repeat(40)}`,
    random: seededRandom('keys'),
    clock,
    ...options,
    storage,
  });
  return {
    ...resolved,
    operator: 'test',
    clockIsSteady: () => true,
    alarms: createAlarms(resolved),
    oracleAnswerCache: createOracleAnswerCache(resolved),
    markets: createMarketLookup(storage),
    eventsAppended: () => void (events.appended += 1),
    webhooksChanged: () => undefined,
    marketsDue: () => undefined,
    keyRevoked: () => undefined,
  };
}

export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'done';
  } catch (error) {
    if (!isPredictionMarketError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

export async function outcomesOf(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(calls.map(outcomeOf))) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

export const STALE = 'INVALID_NONCE: Nonce invalid, expired, or already used. Request a fresh challenge.';
export const UNVERIFIED = 'INVALID_SIGNATURE: Invalid signature';
export const OTHER_SIGNER = 'INVALID_SIGNATURE: Signature does not match address';
export const NO_KEY = 'KEY_NOT_FOUND: Key not found or not owned by this wallet';
