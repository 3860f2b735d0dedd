import { inspect } from 'node:util';
import { manualOracle } from '../../adapters/oracle/manual';
import { postgresStorage } from '../../adapters/storage/postgres';
import { createPredictionMarket } from '../../src/create-prediction-market';
import { fakeFacilitator } from '../../testing/fake-facilitator';

/** No server listens at port 1. */
const url = 'postgres://market:pass-of-the-market@127.0.0.1:1/market';

it('a start without its Postgres shows why the database cannot be reached, and no password', async () => {
  const pm = createPredictionMarket({
    storage: postgresStorage({ url }),
    oracle: manualOracle(),
    facilitator: fakeFacilitator(),
    payTo: '0x000000000000000000000000000000000000dEaD',
  });
  const error: unknown = await pm.start().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'The storage is not available' });
  const printed = inspect(error, { depth: 5 });
  expect(printed).toContain('connect ECONNREFUSED 127.0.0.1:1');
  expect(printed).not.toContain('pass-of-the-market');
  await pm.close();
});
