import { once } from 'node:events';
import { WebSocket } from 'ws';
import { describeWith } from '../support/optional';
import { startPostgres, type PostgresServer } from '../support/postgres';
import { openRedis, type SharedRedis } from '../support/redis';
import { until } from '../support/until';
import { becomeCreator, call, issueKey } from './support/client';
import { OPERATOR, ok } from './support/oracle-service';
import { address, start, type Running } from './support/process';
import { randomWallet } from '../support/random-wallet';

const ORDERS = 30;

interface Line {
  pid: number;
  msg: string;
  worker?: number;
}

const linesOf = (running: Running): Line[] =>
  running
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const pidsOf = (running: Running): number[] => [
  ...new Set(linesOf(running).flatMap(({ pid, msg }) => (msg === 'request completed' ? [pid] : []))),
];
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describeWith('postgres', 'two workers', () => {
  describeWith('redis', 'on one port', (redisLocation) => {
    let postgres: PostgresServer;
    let redis: SharedRedis;
    let environment: Record<string, string>;
    let running: Running;
    let base: string;
    let key: string;
    let market: number;

    beforeAll(async () => {
      [postgres, redis] = await Promise.all([startPostgres(), openRedis(redisLocation)]);
      environment = {
        WORKERS: '2',
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        ADDRESS_RATE_LIMIT: '100000',
        ADMIN_TOKEN: 'an-admin-token-for-tests',
      };
      running = start(environment);
      base = await address(running);
      const wallet = randomWallet();
      key = await issueKey(base, wallet);
      await ok(call(base, '/admin/keys/1', { ...OPERATOR, method: 'PATCH', body: { rateLimit: 10_000 } }));
      await becomeCreator(base, wallet, environment['ADMIN_TOKEN'] ?? '');
      const deposit = { amount: 1000, reference: 'start' };
      await ok(call(base, `/admin/accounts/${wallet.address}/deposits`, { ...OPERATOR, body: deposit }));
      const body = {
        question: 'Will two workers do?',
        resolutionCriteria: 'They do.',
        resolveDate: new Date(Date.now() + 7_200_000).toISOString(),
        category: 'science',
      };
      market = (await ok(call(base, '/public/markets', { headers: { 'x-api-key': key }, body })))[
        'id'
      ] as number;
    });
    afterAll(async () => {
      running.child.kill('SIGKILL');
      await running.exit;
      await redis.stop();
      await postgres.stop();
    });

    /** The header closes the connection, so the next request opens a new one, perhaps to another worker. */
    const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${base}${path}`, { headers: { connection: 'close', ...headers } });
    const metric = async (series: string): Promise<number> => {
      const text = await (await get('/metrics')).text();
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    };
    async function place(order: number): Promise<void> {
      const headers = { 'x-api-key': key, 'idempotency-key': `order-${order}`, connection: 'close' };
      const body = { action: 'buy', side: 'YES', shares: 1 };
      await until(async () => {
        const answer = await call(base, `/public/markets/${market}/trade`, { headers, body }).catch(
          () => null,
        );
        return answer !== null && answer.status < 300;
      });
    }
    async function bothAnswer(): Promise<number[]> {
      const seen = linesOf(running).length;
      const fresh = (): number[] => [
        ...new Set(
          linesOf(running)
            .slice(seen)
            .flatMap(({ pid, msg }) => (msg === 'request completed' ? [pid] : [])),
        ),
      ];
      await until(async () => {
        await get('/api/v2/x402/info');
        return fresh().length === 2;
      });
      return fresh();
    }

    it('serve both, and count the sockets of both', async () => {
      await bothAnswer();
      const sockets = Array.from(
        { length: 4 },
        () => new WebSocket(`${base.replace('http', 'ws')}/api/v2/ws`),
      );
      await Promise.all(sockets.map((socket) => once(socket, 'message')));
      expect(await metric('prediction_market_live_sockets')).toBe(4);
      for (const socket of sockets) socket.close();
      await until(async () => (await metric('prediction_market_live_sockets')) === 0);
    });

    it('count one quota', async () => {
      const wallet = randomWallet();
      const own = await issueKey(base, wallet);
      const statuses: number[] = [];
      for (let sent = 0; sent < 64; sent += 1)
        statuses.push((await get('/api/v2/public/balance', { 'x-api-key': own })).status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(60);
      expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    });

    it('add up what each has counted, and show the figures of the house once', async () => {
      await Promise.all(Array.from({ length: ORDERS }, (_, order) => place(order)));
      expect(await metric('prediction_market_trades_total{side="YES",action="buy"}')).toBe(ORDERS);
      expect(await metric('prediction_market_treasury_usd')).toBe(10_000);
      expect(await metric('prediction_market_exposure_limit_usd')).toBe(10_000_000);
    });

    it('lose no order and no count when one is killed, and replace it', async () => {
      const [victim = 0, other = 0] = await bothAnswer();
      const orders = Array.from({ length: ORDERS }, (_, order) => place(ORDERS + order));
      process.kill(victim, 'SIGKILL');
      await Promise.all(orders);
      await until(() => linesOf(running).some(({ worker }) => worker === victim));
      const now = await bothAnswer();
      expect(now).toContain(other);
      expect(now).not.toContain(victim);
      expect(await ok(call(base, '/admin/audit', OPERATOR))).toMatchObject({ ok: true });
      const list = await ok(call(base, '/public/positions', { headers: { 'x-api-key': key } }));
      expect(JSON.stringify(list)).toContain(`"shares":${2 * ORDERS},`);
      const series = 'prediction_market_trades_total{side="YES",action="buy"}';
      expect(await metric(series)).toBeGreaterThanOrEqual(ORDERS);
    });

    it('end with 0 on SIGTERM, and leave no process', async () => {
      const pids = pidsOf(running);
      running.child.kill('SIGTERM');
      expect(await running.exit).toBe(0);
      expect(running.errors()).not.toContain('cannot start');
      expect(pids.filter(isAlive)).toEqual([]);
    });

    it('end with a killed primary, share the token that it made, and say once why they cannot start', async () => {
      const { ADMIN_TOKEN: _, ...withoutToken } = environment;
      running = start(withoutToken);
      base = await address(running);
      const token = /for this run it is (\S+)/.exec(running.errors())?.[1] ?? '';
      const pids = await bothAnswer();
      for (let sent = 0; sent < 4; sent += 1)
        expect((await get('/api/v2/admin/treasury', { authorization: `Bearer ${token}` })).status).toBe(200);
      const taken = start({ ...environment, PORT: new URL(base).port });
      expect(await taken.exit).toBe(1);
      expect(taken.errors()).toMatch(/^cannot start: PORT: [^\n]+\n$/);
      running.child.kill('SIGKILL');
      await until(() => !pids.some(isAlive));
    });
  });
});
