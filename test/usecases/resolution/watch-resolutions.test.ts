import { manualOracle } from '../../../adapters/oracle/manual';
import { createWorld, closedMarket, type World } from './world';
import { escalate, startResolution, type ResolutionState } from '../../../src/domain/oracle/resolution-state';
import { resolveMarket } from '../../../src/usecases/resolution/resolve-market';
import { watchResolutions } from '../../../src/usecases/resolution/watch-resolutions';

const alarmsOf = ({ context }: World): string[] =>
  context.alarms.list().map(({ name, subject }) => `${name} of ${subject}`);

async function save({ storage }: World, state: ResolutionState): Promise<void> {
  await storage.transaction((transaction) => transaction.resolutions.save(state));
}

it('the alarm stands while a market is escalated or stalled, and is over when an operator has decided', async () => {
  const { world, id } = await closedMarket();
  const { context } = world;
  const waiting = startResolution(id, world.clock.now());
  await watchResolutions(context);
  expect(alarmsOf(world)).toEqual([]);
  await save(world, { ...waiting, status: 'stalled' });
  await watchResolutions(context);
  expect(context.alarms.list()).toMatchObject([
    { name: 'resolution', subject: `market ${id}`, reason: expect.stringContaining('eight rounds') },
  ]);
  await save(world, escalate(waiting, null, world.clock.now()));
  await watchResolutions(context);
  expect(context.alarms.list()).toMatchObject([
    { subject: `market ${id}`, reason: expect.stringContaining('only an operator') },
  ]);
  await resolveMarket(context, { market: String(id), outcome: 'YES', note: null });
  await watchResolutions(context);
  expect(alarmsOf(world)).toEqual([]);
  expect(world.logged.filter((line) => line === 'alarm')).toHaveLength(2);
});

it('with an oracle that leaves every market to operators, the alarm names a closed market at once', async () => {
  const { world, id } = await closedMarket();
  const context = { ...world.context, oracle: manualOracle() };
  await save(world, startResolution(id, world.clock.now()));
  await watchResolutions(context);
  expect(context.alarms.list()).toMatchObject([
    {
      name: 'resolution',
      subject: `market ${id}`,
      reason: expect.stringContaining('an operator has to decide'),
    },
  ]);
  await save(world, { ...startResolution(id, world.clock.now()), status: 'stalled' });
  await watchResolutions(context);
  expect(world.logged.filter((line) => line === 'alarm')).toHaveLength(1);
  await resolveMarket(context, { market: String(id), outcome: 'YES', note: null });
  await watchResolutions(context);
  expect(alarmsOf(world)).toEqual([]);
});

it('the alarm names at most twenty markets of a status, and says that there are more', async () => {
  const world = await createWorld();
  for (let made = 0; made < 21; made += 1) {
    const id = await world.open(`Will it rain on day ${made}?`);
    await save(world, escalate(startResolution(id, 0), null, 0));
  }
  await watchResolutions(world.context);
  const subjects = alarmsOf(world);
  expect(subjects).toHaveLength(21);
  expect(subjects.at(-1)).toBe('resolution of further markets (escalated)');
});
