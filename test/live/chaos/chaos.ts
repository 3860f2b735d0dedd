/**
 * Cuts clients of the live feed off and kills instances at random. In the end each client must have every message
 * of its channels once and in order.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from 'express-prediction-market/testing';
import { accountChannel, marketChannel, type ChannelKey } from '../../../src/events/channel-keys';
import type { CrashOrder } from '../../crash/orders';
import { prepareMarkets } from '../../crash/prepare';
import { startChild, type Child } from '../../postgres-operations/support/child';
import { keyHolders, sendOrder, type KeyHolder } from '../../postgres-operations/support/clients';
import { freePort } from '../../support/free-port';
import { until } from '../../support/until';
import { ResumingClient, type ClientPlan } from './client';
import { liveMarket, storageAt, type MarketSettings, type ServerSettings } from './market';
import { checkBook, checkTold, MessageBook, readTruth, type Truth } from './messages';

export interface LiveChaosOptions {
  /** A fresh database: `postgres://…`, or the path of a SQLite file. */
  database: string;
  instances: number;
  clients: number;
  seconds: number;
  cutsPerClient: number;
  kills: number;
  killAll: boolean;
  clockSpeed: number;
  seed: number;
  log(line: string): void;
}

export interface LiveChaosReport {
  trades: number;
  tradesPerSecond: number;
  deliveries: number;
  messages: number;
  cuts: number;
  resumptions: number;
  dropped: number;
  kills: number[];
  settledMs: number;
}

const MARKETS = 20;
const TRADERS = 8;
const TRADES_PER_SECOND = 200;
const TRADES_A_ROUND = 20;
const ROUND_MS = (1_000 * TRADES_A_ROUND) / TRADES_PER_SECOND;
const PAUSE_MS = 25;
/** Longer than the lease of a killed instance. */
const NO_PROGRESS_MS = 20_000;

export async function runLiveChaos(options: LiveChaosOptions): Promise<LiveChaosReport> {
  try {
    return await run(options);
  } catch (error) {
    throw new Error(`with seed ${String(options.seed)}: ${String(error)}`, { cause: error });
  }
}

async function run(options: LiveChaosOptions): Promise<LiveChaosReport> {
  const { seed, log } = options;
  const pick = picker(`${String(seed)} clients`);
  const settings: MarketSettings = { ...options, clockStart: Date.now() };
  const { holders, markets } = await prepare(settings);
  const instances = await startInstances(settings, options.instances);
  const book = new MessageBook();
  const clients = plansOf(options.clients, markets, holders, pick).map(
    (plan) => new ResumingClient(plan, book),
  );
  const bases = instances.map(({ base }) => base);
  const connect = (): void => {
    for (const client of clients) if (!client.isConnected) client.connect(bases[pick(bases.length)] ?? '');
  };
  try {
    connect();
    await until(() => clients.every(({ hasBegun }) => hasBegun), { what: 'the first subscriptions' });
    const traded = await trade({ options, instances, clients, connect, pick, markets, holders, bases });
    const begun = performance.now();
    const truth = await everythingArrived({ settings, trades: traded.trades, clients, connect });
    const settledMs = Math.round(performance.now() - begun);
    const { deliveries, messages } = check(clients, truth, book);
    const sum = (of: (client: ResumingClient) => number): number =>
      clients.reduce((total, client) => total + of(client), 0);
    const report = {
      ...traded,
      deliveries,
      messages,
      resumptions: sum(({ resumptions }) => resumptions),
      dropped: sum(({ dropped }) => dropped),
      settledMs,
    };
    log(JSON.stringify(report));
    return report;
  } finally {
    for (const client of clients) client.cut();
    await Promise.all(instances.map((instance) => instance.kill()));
  }
}

type Pick = (below: number) => number;

/** Each part of the run has its own random sequence, so the time that one part takes does not change another part. */
function picker(seed: string): Pick {
  const random = seededRandom(seed);
  return (below) => Buffer.from(random.bytes(4)).readUInt32BE() % below;
}

async function prepare(settings: MarketSettings): Promise<{ holders: KeyHolder[]; markets: number[] }> {
  const pm = liveMarket(settings);
  await pm.start();
  const names = Array.from({ length: TRADERS }, (_, index) => `live ${String(index)}`);
  const holders = await keyHolders(pm, names);
  const markets = await prepareMarkets(
    pm,
    holders.map(({ address }) => address),
    MARKETS,
  );
  await pm.close();
  return { holders, markets };
}

function plansOf(count: number, markets: readonly number[], holders: readonly KeyHolder[], pick: Pick) {
  return Array.from({ length: count }, (_, index): ClientPlan => {
    const channels = new Set<ChannelKey>(['markets']);
    while (channels.size < 4) channels.add(marketChannel(markets[pick(markets.length)] ?? 0));
    if (index % 5 === 0) channels.add('trades');
    if (index % 5 === 1) channels.add('prices');
    const holder = index % 4 === 0 ? (holders[pick(holders.length)] ?? null) : null;
    if (holder !== null) channels.add(accountChannel(holder.address.toLowerCase()));
    return {
      name: `client ${String(index)}`,
      channels: [...channels],
      apiKey: holder?.apiKey ?? null,
      resumes: index % 2 === 0 ? 'together' : 'apart',
    };
  });
}

interface Instance {
  base: string;
  kill(): Promise<void>;
  replace(): Promise<void>;
}

async function startInstances(settings: MarketSettings, count: number): Promise<Instance[]> {
  return Promise.all(Array.from({ length: count }, async () => startInstance(settings, await freePort())));
}

async function startInstance(settings: MarketSettings, port: number): Promise<Instance> {
  const serverSettings: ServerSettings = { ...settings, port };
  let child = await start();
  async function start(): Promise<Child> {
    const started = startChild('test/live/chaos/server.ts', [JSON.stringify(serverSettings)]);
    const listening = new Promise<void>((resolve) => started.onLine(() => resolve()));
    const early = started.ended.then((how) => {
      throw new Error(`an instance ended with ${String(how)}: ${started.errors()}`);
    });
    await Promise.race([listening, early]);
    early.catch(() => undefined);
    return started;
  }
  return {
    base: `http://127.0.0.1:${String(port)}`,
    kill: () => child.kill(),
    async replace() {
      await child.kill();
      child = await start();
    },
  };
}

interface Trading {
  options: LiveChaosOptions;
  instances: readonly Instance[];
  clients: readonly ResumingClient[];
  connect(): void;
  pick: Pick;
  markets: readonly number[];
  holders: readonly KeyHolder[];
  bases: readonly string[];
}

/** A round begins on time, even while orders of earlier rounds wait for a killed instance. */
async function trade(trading: Trading) {
  const { options, instances, clients, connect, pick } = trading;
  const kills = killer(options, instances);
  const rounds = Math.ceil((1_000 * options.seconds) / ROUND_MS);
  const cutsARound = Math.ceil((options.cutsPerClient * clients.length) / rounds);
  const begun = performance.now();
  const orders: Promise<void>[] = [];
  const failures: unknown[] = [];
  let cuts = 0;
  for (let round = 0; round < rounds || !kills.areDone(); round += 1) {
    kills.goOn(round / rounds);
    for (let count = 0; count < TRADES_A_ROUND; count += 1)
      orders.push(order(trading, orders.length).catch((error: unknown) => void failures.push(error)));
    for (let cut = 0; cut < cutsARound; cut += 1) clients[pick(clients.length)]?.cut();
    cuts += cutsARound;
    if (failures.length > 0) throw failures[0];
    await pause(Math.max(0, begun + (round + 1) * ROUND_MS - performance.now()));
    // Clients reconnect in every second round, so half of the cut clients miss another round.
    if (round % 2 === 0) connect();
  }
  await kills.ended();
  await Promise.all(orders);
  if (failures.length > 0) throw failures[0];
  const trades = orders.length;
  const tradesPerSecond = Math.round((1_000 * trades) / (performance.now() - begun));
  return { trades, cuts, tradesPerSecond, kills: kills.victims };
}

function killer({ kills, killAll, log, seed }: LiveChaosOptions, instances: readonly Instance[]) {
  const pick = picker(`${String(seed)} kills`);
  const total = kills + (killAll ? 1 : 0);
  const victims: number[] = [];
  let begun = 0;
  let isUnderWay = false;
  let last = Promise.resolve();

  async function killNext(): Promise<void> {
    isUnderWay = true;
    const isAll = begun > kills;
    const victim = pick(instances.length);
    const killed = isAll ? instances : instances.slice(victim, victim + 1);
    log(`kill ${String(begun)}: ${isAll ? 'all instances' : `instance ${String(victim)}`}`);
    for (const instance of killed) victims.push(instances.indexOf(instance));
    await Promise.all(killed.map((instance) => instance.replace()));
    isUnderWay = false;
  }

  return {
    victims,
    goOn(share: number): void {
      if (isUnderWay || begun === total || share < (begun + 1) / (total + 1)) return;
      begun += 1;
      last = killNext();
      // `ended` reports the failure, so the rejection is ignored here.
      last.catch(() => undefined);
    },
    areDone: () => begun === total && !isUnderWay,
    ended: () => last,
  };
}

/** An order without an answer may have been carried out, so the client repeats the order under the same key. */
async function order({ holders, markets, bases, pick, options }: Trading, count: number): Promise<void> {
  const holder = holders[count % holders.length];
  if (holder === undefined) throw new Error('there are no holders');
  const market = markets[pick(markets.length)] ?? 0;
  const side = (count + Math.floor(count / holders.length)) % 2 === 0 ? 'YES' : 'NO';
  const idempotencyKey = `live-${String(options.seed)}-${String(count)}`;
  const { address: wallet } = holder;
  const wanted: CrashOrder = { idempotencyKey, wallet, market, side, action: 'buy', amount: 1 };
  for (let attempt = count; ; attempt += 1) {
    const answer = await sendOrder(bases[attempt % bases.length] ?? '', holder, wanted).catch(() => null);
    if (answer?.status === 201) return;
    if (answer !== null && answer.status !== 503)
      throw new Error(`an order was answered ${String(answer.status)} ${JSON.stringify(answer.body)}`);
    await pause(PAUSE_MS);
  }
}

interface Arrival {
  settings: MarketSettings;
  trades: number;
  clients: readonly ResumingClient[];
  connect(): void;
}

async function everythingArrived({ settings, trades, clients, connect }: Arrival): Promise<Truth> {
  const storage = storageAt(settings.database);
  const quiet = (): void => undefined;
  await storage.open({ logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
  try {
    let truth: Truth | null = null;
    const numbered = async (): Promise<boolean> => (truth = await readTruth(storage, trades)) !== null;
    await until(numbered, { what: 'the numbers of all facts' });
    const isComplete = (client: ResumingClient): boolean =>
      client.plan.channels.every(
        (channel) => client.lastSeq(channel) >= (truth?.get(channel)?.at(-1)?.seq ?? 0),
      );
    const all = (): boolean => {
      connect();
      return clients.every(isComplete);
    };
    // Waits as long as further messages come, because a slow machine takes long.
    const sum = (): number =>
      clients.reduce(
        (total, client) => client.told().reduce((more, { seqs }) => more + seqs.length, total),
        0,
      );
    for (let before = -1; !all() && before !== sum();) {
      before = sum();
      await until(all, { withinMs: NO_PROGRESS_MS }).catch(() => undefined);
    }
    if (truth === null) throw new Error('there are no facts');
    return truth;
  } finally {
    await storage.close();
  }
}

function check(clients: readonly ResumingClient[], truth: Truth, book: MessageBook) {
  let deliveries = 0;
  for (const client of clients) {
    assert.deepEqual(client.faults, [], client.plan.name);
    for (const told of client.told()) {
      checkTold(client.plan.name, told, truth);
      deliveries += told.seqs.length;
    }
  }
  return { deliveries, messages: checkBook(truth, book) };
}
