import { readFileSync } from 'node:fs';
import { testWallet } from 'express-prediction-market/testing';
import type { PredictionMarket } from 'express-prediction-market';
import request from 'supertest';
import { createApp } from '../../examples/two-instances/app';
import { createMarket } from '../../examples/two-instances/market';
import { describeWith } from '../support/optional';
import { freshSchema, openRawPostgres, startPostgres } from '../support/postgres';
import { freshPrefix, openRedis } from '../support/redis';
import { until } from '../support/until';

describeWith('postgres', 'two instances', () => {
  describeWith('redis', 'behind a proxy', (redisLocation) => {
    let markets: PredictionMarket[];
    let apps: ReturnType<typeof createApp>[];
    let end: () => Promise<void>;

    beforeAll(async () => {
      const postgres = await startPostgres();
      const redis = await openRedis(redisLocation);
      const schema = freshSchema();
      const shared = {
        databaseUrl: postgres.url,
        redisUrl: redis.url,
        schema,
        prefix: freshPrefix(),
        baseUrl: 'http://localhost:3000',
      };
      markets = [createMarket(shared), createMarket(shared)];
      apps = markets.map((pm, index) => createApp(pm, `market-${index + 1}`));
      await Promise.all(markets.map((pm) => pm.start()));
      end = async () => {
        await Promise.all(markets.map((pm) => pm.close()));
        const raw = await openRawPostgres(postgres.url);
        await raw.query(`DROP SCHEMA ${schema} CASCADE`);
        await raw.end();
        await redis.stop();
        await postgres.stop();
      };
    });
    afterAll(() => end());

    it('serve one wallet together: key, trade, fact and quota', async () => {
      const [a, b] = markets as [PredictionMarket, PredictionMarket];
      const [appA, appB] = apps;
      const wallet = testWallet('alice');
      const { address } = wallet;
      await a.approveCreator({ address });
      await b.deposit({ address, amount: 100, reference: 'first' });
      const { id } = await a.createMarket({
        creator: address,
        question: 'Will it rain?',
        resolutionCriteria: 'Look out of the window.',
        resolveDate: new Date(Date.now() + 86_400_000).toISOString(),
        category: 'science',
      });
      const seen: number[] = [];
      a.events.on('trade', ({ data }) => seen.push(data.marketId));

      const { message, nonce } = await a.issueChallenge({ address, action: 'issue' });
      const signature = await wallet.signMessage(message);
      const { apiKey } = await b.issueKey({ address, message, signature, nonce });

      const order = { side: 'YES', amount: 10 };
      const send = (app: (typeof apps)[number] | undefined) =>
        request(app as (typeof apps)[number])
          .post(`/api/v2/public/markets/${id}/trade`)
          .set({ 'X-API-Key': apiKey, 'Idempotency-Key': 'one' })
          .send(order);
      const answers = await Promise.all([send(appA), send(appB), send(appA), send(appB)]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(new Set(answers.map(({ headers }) => headers['x-instance']))).toEqual(
        new Set(['market-1', 'market-2']),
      );
      expect(await b.getBalance({ wallet: address })).toMatchObject({ balance: 90.049752 });

      await until(() => seen.length > 0);
      const { body } = await request(appB as (typeof apps)[number])
        .get('/api/v2/public/limits')
        .set('X-API-Key', apiKey);
      expect(body).toMatchObject({ limit: 60, remaining: 55 });
    });
  });
});

it('compose.yaml sets each variable that main.ts reads', () => {
  const read = [
    ...readFileSync('examples/two-instances/main.ts', 'utf8').matchAll(/process\.env\['(\w+)'\]/g),
  ];
  const compose = readFileSync('examples/two-instances/compose.yaml', 'utf8');
  expect(read.length).toBeGreaterThan(3);
  expect(read.map(([, name = '']) => name).filter((name) => !compose.includes(` ${name}: `))).toEqual([]);
});
