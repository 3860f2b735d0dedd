import { TEST_START } from '../../../testing/test-clock';
import { testWallet } from '../../../testing/test-wallets';
import type { StorageGround } from '../../support/storages';
import { atOnce, ofStatus, tally } from './many';
import { createRaceWorld, marketBody, type Answer, type RaceWorld } from './world';

interface Treasury {
  balance: number;
  exposure: number;
  limit: number;
}

/** In USD. The worst loss of a market with b = 100 is 69.31 USD, so three markets fit under this limit. */
const LIMIT = 210;

export function exposureRaces(create: StorageGround['create'], instances: number): void {
  async function withCreator(work: (world: RaceWorld, key: string) => Promise<void>): Promise<void> {
    const world = await createRaceWorld(await create(), { instances, exposureLimit: LIMIT });
    try {
      const creator = testWallet('creator');
      await world.must(200, 'POST', `/ops/creators/${creator.address}/approve`);
      await work(world, (await world.issueKey(creator)).apiKey);
    } finally {
      await world.close();
    }
  }

  const open = (world: RaceWorld, key: string, question: string): Promise<Answer<{ id: number }>> =>
    world.call('POST', '/public/markets', { key, body: marketBody(question, Date.parse(TEST_START)) });

  const resolve = (world: RaceWorld, id: number): Promise<Answer> =>
    world.call('POST', `/ops/markets/${id}/resolve`, { body: { outcome: 'YES' } });

  it('20 creations stay below what the treasury may lose', () =>
    withCreator(async (world, key) => {
      const answers = await atOnce(20, (index) => open(world, key, `Does question ${index} fit?`));
      expect(tally(answers)).toEqual({ '201': 3, '409 EXPOSURE_LIMIT': 17 });
    }));

  it('an insider who creates while losses and deposits are booked stays below it as well', () =>
    withCreator(async (world, key) => {
      const insider = testWallet('insider');
      await world.fund(insider, 5_000);
      const { apiKey } = await world.issueKey(insider);
      let markets: number[] = [];
      let capital = 0;
      for (let round = 0; round < 4; round += 1) {
        for (const id of markets)
          await world.must(201, 'POST', `/public/markets/${id}/trade`, {
            key: apiKey,
            body: { side: 'YES', shares: 459 },
          });
        const resolved = markets;
        const answers = await atOnce(16, (index) => {
          const loss = resolved[index];
          if (loss !== undefined) return resolve(world, loss);
          if (index === 15)
            return world.call('POST', '/ops/treasury/deposits', {
              body: { amount: 70, reference: `capital ${round}` },
            });
          return open(world, key, `Is ${index} known in round ${round}?`);
        });
        capital += 70;
        markets = ofStatus(answers, 201).map(({ body }) => Number(body['id']));
        const { balance, exposure } = await world.must<Treasury>(200, 'GET', '/ops/treasury');
        expect(exposure).toBeLessThanOrEqual(LIMIT + balance);
        expect(LIMIT + balance).toBeLessThanOrEqual(LIMIT + capital);
        expect(balance).toBeGreaterThanOrEqual(capital - 4 * 4 * 69.32);
      }
      await world.expectCleanAudit();
    }));
}
