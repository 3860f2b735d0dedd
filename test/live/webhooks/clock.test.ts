import { append, createWorld, runAll, type World } from './world';

const DAY = 24 * 3_600_000;
const webhookOf = ({ storage }: World) => storage.read((reader) => reader.webhooks.find(1));

it('a failure by a clock that has just jumped does not count', async () => {
  const world = await createWorld();
  await append(world, 'wanted');
  world.receiver.isUp = false;
  await runAll(world);
  expect(await webhookOf(world)).toMatchObject({ failures: 1 });
  world.clock.advance(4 * DAY);
  world.isSteady = false;
  await runAll(world);
  for (const { news } of world.instances) news();
  await runAll(world);
  expect(await webhookOf(world)).toMatchObject({ status: 'enabled', failures: 1 });
  world.clock.advance(-4 * DAY + 1_100);
  world.isSteady = true;
  world.receiver.isUp = true;
  await runAll(world);
  expect(world.receiver.taken).toEqual([1]);
});

it('an instance that was suspended beyond its lease sends nothing before it has the lease again', async () => {
  const world = await createWorld();
  const [first, second] = world.instances;
  await first?.job.run();
  world.clock.advance(30_000);
  await append(world, 'wanted');
  first?.news();
  await first?.job.ended();
  expect(world.receiver.taken).toEqual([]);
  await second?.job.run();
  await second?.job.ended();
  await first?.job.run();
  first?.news();
  await first?.job.ended();
  expect(world.receiver.taken).toEqual([1]);
});
