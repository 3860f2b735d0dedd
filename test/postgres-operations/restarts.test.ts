import { setTimeout as pause } from 'node:timers/promises';
import { orderKey, orderOf } from '../crash/orders';
import { prepareMarkets } from '../crash/prepare';
import { CRASH_WALLETS } from '../crash/wallets';
import { freePort } from '../support/free-port';
import { describeWith } from '../support/optional';
import { startRestartablePostgres, type RestartablePostgres } from '../support/postgres';
import { checkEvents, marketOn, repeatAndCheckOrders } from './support/books';
import { until } from '../support/until';
import { heldOrder, keyHolders, sendOrder, type KeyHolder } from './support/clients';
import { isReady, startInstance } from './support/instance';
import { newRecords } from './support/trader-process';

const RESTARTS = 20;
/** The header `Retry-After` asks for a second. These clients wait less, to send more requests. */
const HURRY_MS = 25;
/**
 * After Postgres is back, each order is executed within this many requests. A limit in seconds would fail on a slow
 * machine.
 */
const REQUESTS_AFTER_RETURN = 5_000 / HURRY_MS;

interface Load {
  records: ReturnType<typeof newRecords>;
  wrong: string[];
  refusals: number;
  requests: number;
  lastSuccess: number;
  stop(): Promise<void>;
}

function startLoad(base: string, holders: readonly KeyHolder[], markets: readonly number[]): Load {
  let stopping = false;
  const load: Load = {
    records: newRecords(),
    wrong: [],
    refusals: 0,
    requests: 0,
    lastSuccess: 0,
    stop: async () => {
      stopping = true;
      await Promise.all(running);
    },
  };
  const { sent, acknowledged } = load.records;
  const running = holders.map(async (holder, index) => {
    for (let count = 0; !stopping; count += 1) {
      const order = orderOf(orderKey('load', index, count), markets);
      sent.add(order.idempotencyKey);
      while (!acknowledged.has(order.idempotencyKey)) {
        const request = (load.requests += 1);
        const answer = await sendOrder(base, holder, order).catch((error: unknown) => error as Error);
        if (answer instanceof Error) {
          load.wrong.push(`no answer: ${String(answer)}, ${String(answer.cause)}`);
          return;
        }
        const { status, retryAfter, body } = answer;
        if (status === 201 && body.id !== undefined) {
          acknowledged.set(order.idempotencyKey, body.id);
          load.lastSuccess = Math.max(load.lastSuccess, request);
          continue;
        }
        load.refusals += 1;
        if (status !== 503 || retryAfter === null || body.code !== 'SERVICE_UNAVAILABLE')
          load.wrong.push(`${status} ${retryAfter} ${JSON.stringify(body)}`);
        await pause(HURRY_MS);
      }
    }
  });
  return load;
}

describeWith('postgres', 'a Postgres that is restarted under load', () => {
  let server: RestartablePostgres;
  let instance: Awaited<ReturnType<typeof startInstance>> | undefined;
  beforeAll(async () => {
    server = await startRestartablePostgres();
  });
  afterAll(async () => {
    // After a failed test the instance still runs.
    await instance?.child.kill();
    await server.stop();
  });

  it(`${RESTARTS} times is answered with 503 and Retry-After, and found again by one of ${REQUESTS_AFTER_RETURN} requests of each client`, async () => {
    const setUp = marketOn(server.url);
    await setUp.start();
    const holders = await keyHolders(
      setUp,
      CRASH_WALLETS.map((_, index) => `restart ${index}`),
    );
    const wallets = holders.map(({ address }) => address);
    const markets = await prepareMarkets(setUp, wallets);
    await setUp.close();

    const started = await startInstance(server.url, await freePort());
    instance = started;
    const { base, child } = started;
    let ended: number | NodeJS.Signals | null = null;
    void child.ended.then((how) => (ended = how));
    const load = startLoad(base, holders, markets);
    const seen = (): string =>
      `${load.requests} requests; wrong: ${load.wrong.join(', ')}; ended: ${String(ended)}; ${child.errors()}`;
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const before = load.records.acknowledged.size;
      await until(() => load.records.acknowledged.size >= before + 30, {
        what: () => `30 trades before restart ${restart}; ${seen()}`,
      });
      const refused = load.refusals;
      await server.halt(restart % 2 === 0 ? 'fast' : 'immediate');
      await until(() => load.refusals > refused, {
        what: () => `a refusal in restart ${restart}; ${seen()}`,
      });
      await server.startAgain();
      const { requests } = load;
      const most = requests + holders.length * REQUESTS_AFTER_RETURN;
      await until(() => load.lastSuccess > requests || load.requests > most, {
        what: () => `a trade after restart ${restart}; ${seen()}`,
      });
      expect(load.lastSuccess).toBeGreaterThan(requests);
    }
    await load.stop();

    expect(load.wrong).toEqual([]);
    await until(() => isReady(base), { what: 'readiness' });
    expect(ended).toBeNull();
    const pm = marketOn(server.url);
    await pm.start();
    const order = (key: string) => heldOrder(key, markets, holders);
    const { acknowledged } = await repeatAndCheckOrders(pm, load.records, wallets, order);
    await checkEvents(server.url, acknowledged);
    await pm.close();
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  }, 180_000);
});
