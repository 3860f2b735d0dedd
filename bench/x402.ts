/**
 * Compares the CPU time of a paid call with the official middleware, and of an unpaid call with bare Express. Unlike
 * the official middleware, our server checks signatures and claims each payment in its storage. Each server is a
 * process of its own. The servers take turns, and the figures are medians over the rounds.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { environmentLine, median, printTable } from './report';
import { createPayers, FEED_PATH, paymentHeader, type Terms } from './x402-payments';
import type { BareAnswer, ServerHello } from './x402-server';

const CONNECTIONS = 10;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 1_500);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
/** `paid` leaves out the unpaid calls, so that a profile shows paid calls alone. */
const CALLS = process.env.BENCH_CALLS ?? 'all';
const PAID_TARGET = 1.2;
const UNPAID_TARGET = 1.2;

interface Server extends ServerHello {
  name: string;
  cpu(): Promise<number>;
  stop(): void;
}

/**
 * Bundles the server as the published package is. Under tsx, each closure would carry extra code, which would cost CPU
 * time.
 */
async function bundleServer(folder: string): Promise<string> {
  const outfile = join(folder, 'x402-server.mjs');
  await build({
    entryPoints: ['bench/x402-server.ts'],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}

async function startServer(file: string, variant: string, answer?: BareAnswer): Promise<Server> {
  const child: ChildProcess = fork(file, [variant], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NODE_OPTIONS: '',
      ...(answer && { BARE_ANSWER: JSON.stringify(answer) }),
    },
    execArgv: process.env.BENCH_PROFILE === variant ? ['--cpu-prof', '--cpu-prof-dir=.tmp'] : [],
  });
  const died = once(child, 'exit').then(() => {
    throw new Error(`the ${variant} server has ended`);
  });
  // `message` also rejects when the process ends. The end of the process at the end of the bench is no
  // failure, so this line ignores it.
  died.catch(() => undefined);
  const message = async <T>(): Promise<T> => {
    const [value] = (await Promise.race([once(child, 'message'), died])) as [T];
    return value;
  };
  const hello = await message<ServerHello>();
  return {
    ...hello,
    name: variant,
    cpu() {
      child.send('cpu');
      return message<number>();
    },
    stop: () => child.disconnect(),
  };
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function get({ port }: Server, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: FEED_PATH, agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => {
        const body = Buffer.concat(parts).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    sent.once('error', reject);
    sent.end();
  });
}

async function cpuPerRequest(
  server: Server,
  expected: number,
  headers: readonly Record<string, string>[],
): Promise<number> {
  const waiting = [...headers];
  const client = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { status, body } = await get(server, next);
      if (status !== expected) throw new Error(`${server.name} answered ${status} instead: ${body}`);
    }
  };
  const before = await server.cpu();
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return ((await server.cpu()) - before) / headers.length;
}

interface Offer {
  accepted: Terms;
  resource: unknown;
}

async function offerOf(server: Server): Promise<Offer> {
  const { headers } = await get(server, {});
  const text = Buffer.from(String(headers['payment-required']), 'base64').toString('utf8');
  const { accepts, resource } = JSON.parse(text) as { accepts: Terms[]; resource: unknown };
  const [accepted] = accepts;
  if (accepted === undefined) throw new Error(`${server.name} accepts no payment`);
  return { accepted, resource };
}

/**
 * The headers that Node and Express add by themselves. All other headers are copied, so that the bare answer
 * has the same length.
 */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'x-powered-by', 'etag']);

function bareAnswer({ status, headers, body }: Answer): BareAnswer {
  const copied = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name));
  return { status, headers: Object.fromEntries(copied) as Record<string, string>, body: JSON.parse(body) };
}

type Measured = Record<string, number[]>;

/**
 * Measures paid calls on each server, with the offer that the clients of the server accept. All offers have
 * the same terms.
 */
async function measurePaid(
  terms: Terms,
  sold: readonly { server: Server; offer: Offer }[],
): Promise<Measured> {
  const measured: Measured = {};
  const signPayments = createPayers();
  for (let round = -1; round < ROUNDS; round += 1) {
    const payments = signPayments(REQUESTS, terms);
    for (const { server, offer } of sold) {
      const headers = payments.map((payment) => ({ 'PAYMENT-SIGNATURE': paymentHeader(offer, payment) }));
      const micros = await cpuPerRequest(server, 200, headers);
      // The first round warms the server up and does not count.
      if (round >= 0) (measured[server.name] ??= []).push(micros);
    }
  }
  return measured;
}

async function measureUnpaid(servers: readonly Server[]): Promise<Measured> {
  const measured: Measured = {};
  const headers = Array.from({ length: REQUESTS }, () => ({}));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const server of servers) {
      const micros = await cpuPerRequest(server, 402, headers);
      if (round >= 0) (measured[server.name] ??= []).push(micros);
    }
  }
  return measured;
}

/**
 * The median of the ratios: in each round, the figure of `name` divided by the figure of `base`. The speed of
 * the machine drifts, but hardly within a round.
 */
function ratio(measured: Measured, name: string, base: string): number {
  const { [name]: values = [] } = measured;
  return median(values.map((micros, round) => micros / (measured[base]?.[round] ?? NaN)));
}

const NAMES: Record<string, string> = {
  ours: 'ours',
  'ours-faster': 'ours, on the server of npm start',
  least: 'the least',
  official: '@x402/express',
  'official-faster': '@x402/express, on the server of npm start',
  bare: 'bare Express',
};

/** A row for each server, with its ratio to `base` and, if there is one, the target of that ratio. */
function report(
  call: string,
  measured: Measured,
  { base, targets }: { base: string; targets: Record<string, number> },
): void {
  printTable(
    [call, 'CPU, µs', `to ${NAMES[base] ?? base}`, 'target'],
    Object.entries(measured).map(([name, micros]) => {
      const toBase = ratio(measured, name, base);
      const target = targets[name];
      const isMet = target === undefined ? '' : `<= ${target}: ${toBase <= target ? 'met' : 'missed'}`;
      return [NAMES[name] ?? name, median(micros).toFixed(0), name === base ? '' : toBase.toFixed(2), isMet];
    }),
  );
}

export async function benchX402(): Promise<void> {
  mkdirSync('.tmp', { recursive: true });
  // The folder is below the project folder, so that the bundle finds its packages.
  const folder = mkdtempSync('.tmp/bench-x402-');
  const running: Server[] = [];
  const start = async (...variant: Parameters<typeof startServer>): Promise<Server> => {
    const server = await startServer(...variant);
    running.push(server);
    return server;
  };
  try {
    const file = await bundleServer(folder);
    const ours = await start(file, 'ours');
    const official = await start(file, 'official');
    const what = `${ROUNDS} rounds of ${REQUESTS} requests over ${CONNECTIONS} connections, medians`;
    console.log(environmentLine(`${what}; signers recovered by the ${ours.curve} curve`));
    if (CALLS !== 'paid') {
      const bare = await start(file, 'bare', bareAnswer(await get(ours, {})));
      const unpaid = await measureUnpaid([ours, official, bare]);
      report('unpaid 402', unpaid, { base: 'bare', targets: { ours: UNPAID_TARGET } });
    }
    const ourOffer = await offerOf(ours);
    const paid = await measurePaid(ourOffer.accepted, [
      { server: ours, offer: ourOffer },
      { server: await start(file, 'ours-faster'), offer: ourOffer },
      { server: await start(file, 'least'), offer: ourOffer },
      { server: official, offer: await offerOf(official) },
      { server: await start(file, 'official-faster'), offer: await offerOf(official) },
    ]);
    report('paid call', paid, { base: 'official', targets: { ours: PAID_TARGET } });
  } finally {
    for (const server of running) server.stop();
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}
