import { TEST_START } from '../../../src/testing/test-clock';
import { testWallet } from '../../../src/testing/test-wallets';
import type { StorageGround } from '../../support/storages';
import { atOnce, tally } from './many';
import { createRaceWorld, marketBody } from './world';

/** The worst loss of a market with b = 100 is 69.31 USD: three of them fit under 210. */
export function exposureRaces(create: StorageGround['create'], instances: number): void {
  it('20 creations stay below what the treasury may lose', async () => {
    const world = await createRaceWorld(await create(), { instances, exposureLimit: 210 });
    try {
      const creator = testWallet('creator');
      await world.must(200, 'POST', `/ops/creators/${creator.address}/approve`);
      const { apiKey: key } = await world.issueKey(creator);
      const answers = await atOnce(20, (index) => {
        const body = marketBody(`Does question ${index} fit?`, Date.parse(TEST_START));
        return world.call<object>('POST', '/public/markets', { key, body });
      });
      expect(tally(answers)).toEqual({ '201': 3, '409 EXPOSURE_LIMIT': 17 });
    } finally {
      await world.close();
    }
  });
}
