/**
 * Kills workers of the standalone server, and sometimes the whole server, while wallets pay. Each settled payment
 * must have got its answer once in the end.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from 'express-prediction-market/testing';
import { USD } from '../../chain/support/treasury';
import { startChain, type Chain } from '../../chain/support/anvil';
import { call } from '../../standalone/support/client';
import { address, start, type Running } from '../../standalone/support/process';
import { freePort } from '../../support/free-port';
import { openRedis } from '../../support/redis';
import { keepPaying, newAnswers, type PaidAnswers } from './paying';
import { randomWallet } from '../../support/random-wallet';

const PAY_TO = '0x1111111111111111111111111111111111111111';
const ADMIN_TOKEN = 'an-admin-token-for-tests';
const WALLETS = 16;
const WORKERS = 3;
const FEED_PRICE = 1_000n;
/**
 * Short enough that six workers may die within a minute. The server then stops by itself, and the test starts it
 * again.
 */
const LONGEST_PAUSE_MS = 2_200;
const SHARE_OF_SERVERS = 0.12;

export interface PaymentChaosOptions {
  databaseUrl: string;
  anvil: string;
  redis: string;
  seconds: number;
  seed: number;
  log(line: string): void;
}

export interface PaymentChaosReport extends PaidAnswers {
  kills: { workers: number; servers: number };
}

export async function runPaymentChaos(options: PaymentChaosOptions): Promise<PaymentChaosReport> {
  const [chain, redis] = await Promise.all([startChain(options.anvil), openRedis(options.redis)]);
  try {
    return await payAndKill(options, chain, redis.url);
  } finally {
    await Promise.all([chain.stop(), redis.stop()]);
  }
}

async function payAndKill(
  { databaseUrl, seconds, seed, log }: PaymentChaosOptions,
  chain: Chain,
  redisUrl: string,
): Promise<PaymentChaosReport> {
  const settler = randomWallet();
  await chain.giveGas(settler.address);
  const environment = {
    WORKERS: String(WORKERS),
    PORT: String(await freePort()),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    RPC_URL: chain.url,
    SETTLER_PRIVATE_KEY: settler.privateKey,
    PAY_TO,
    ADMIN_TOKEN,
    ADDRESS_RATE_LIMIT: '1000000',
    PAYMENTS_IN_WORK: '10000',
    LOG_LEVEL: 'error',
  };
  const wallets = Array.from({ length: WALLETS }, () => randomWallet());
  for (const wallet of wallets) await chain.setTokens(wallet.address, 1_000n * USD);

  let running = start(environment);
  const base = await address(running);
  const answers = newAnswers();
  const kills = { workers: 0, servers: 0 };
  const endsAt = performance.now() + seconds * 1_000;
  const goOn = (): boolean => performance.now() < endsAt;
  const random = seededRandom(seed);
  const share = (): number => (random.bytes(1)[0] ?? 0) / 256;

  async function killAgainAndAgain(): Promise<void> {
    while (goOn()) {
      await pause(LONGEST_PAUSE_MS * (0.3 + 0.7 * share()));
      const workers = workersOf(running);
      if (hasEnded(running) || share() < SHARE_OF_SERVERS) {
        kills.servers += 1;
        running.child.kill('SIGKILL');
        for (const worker of workers) kill(worker);
        await running.exit;
        running = await startAgain(environment);
      } else if (workers.length > 0) {
        kills.workers += 1;
        kill(workers[Math.floor(share() * workers.length)] ?? 0);
      }
      log(`${kills.workers} workers and ${kills.servers} servers killed, ${answers.deposits} deposits`);
    }
  }

  try {
    await Promise.all([
      ...wallets.map((wallet) => keepPaying(base, wallet, answers, goOn)),
      killAgainAndAgain(),
    ]);
    const paid = await chain.tokens(PAY_TO);
    const { body: audit } = await call(base, '/admin/audit', {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    requireEqual(
      'base units on the chain',
      paid,
      BigInt(answers.deposits) * USD + BigInt(answers.feeds) * FEED_PRICE,
    );
    requireEqual('USD from outside', audit['external'], -answers.deposits);
    requireEqual('the audit', audit['ok'], true);
    requireEqual('refusals', answers.refusals.join(', '), '');
    return { ...answers, kills };
  } finally {
    running.child.kill('SIGTERM');
    await running.exit;
  }
}

const hasEnded = ({ child }: Running): boolean => child.exitCode !== null || child.signalCode !== null;

/** A worker that is about to end may still hold the port, so a failed start is tried again. */
async function startAgain(environment: Record<string, string>): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const running = start(environment);
    try {
      await address(running);
      return running;
    } catch (error) {
      if (attempt === 20) throw error;
      await pause(500);
    }
  }
}

/** Returns an empty list on systems without /proc, such as macOS. */
function workersOf({ child }: Running): number[] {
  try {
    const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    return text.trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended meanwhile.
  }
}

function requireEqual<Value>(what: string, found: Value, expected: Value): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)}, expected ${String(expected)}`);
}
