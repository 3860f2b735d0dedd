import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { quiet } from '../../jobs/manual-timers';
import { latch } from '../../../testing/storage-conformance/suite';
import { createWorld, fact, NAME, type Instance, type World } from './world';

const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1));

async function endPauses(world: World, instance: Instance): Promise<void> {
  for (const delay of instance.timers.delays().filter((milliseconds) => milliseconds < 4_000))
    await instance.timers.fire(delay);
  await world.run(instance);
}

describe('a consumer', () => {
  it('handles every fact once, in order, and stores how far it is', async () => {
    const world = await createWorld();
    const instance = world.instance();
    await world.commit(...numbers(250).map(() => fact()));
    await world.run(instance);
    await world.commit(fact(), fact());
    await world.run(instance);
    expect(world.calls).toEqual(numbers(252));
    expect(await world.position()).toBe(252);
  });

  it('tries a fact again after a pause, and the facts behind it wait', async () => {
    const world = await createWorld();
    const instance = world.instance();
    world.failures.set(2, 2);
    await world.commit(fact(), fact(), fact());
    await world.run(instance);
    expect(world.calls).toEqual(['1', '2 failed']);
    const [consumer] = await world.storage.read((reader) => reader.consumers.list());
    expect(consumer).toMatchObject({
      seq: 1,
      failures: 1,
      lastError: 'Error: this handler was told to fail',
    });
    const [first] = instance.timers.delays();
    await endPauses(world, instance);
    const [second] = instance.timers.delays();
    await endPauses(world, instance);
    expect(world.calls).toEqual(['1', '2 failed', '2 failed', '2', '3']);
    expect([first, second].every((pause, index) => Math.abs(Number(pause) / 1_000 - 2 ** index) <= 0.2)).toBe(
      true,
    );
    expect(await world.position()).toBe(3);
  });

  it('parks a fact that fails too often, and goes on with the rest', async () => {
    const world = await createWorld({ attempts: 2 });
    const instance = world.instance();
    world.failures.set(1, 2);
    await world.commit(fact(7), fact());
    await world.run(instance);
    await endPauses(world, instance);
    expect(world.calls).toEqual(['1 failed', '1 failed', '2']);
    expect(await world.position()).toBe(2);
    const { parked } = await world.storage.read((reader) =>
      reader.consumers.listParked({ consumer: NAME, limit: 10, offset: 0 }),
    );
    const { seq, failures, error, redo, fact: kept } = parked[0] ?? {};
    expect([parked.length, seq, failures, error, redo]).toEqual([
      1,
      1,
      2,
      'Error: this handler was told to fail',
      false,
    ]);
    expect(kept).toEqual(fact(7));
  });

  it('lets other markets go on while one waits, each in order, but only so far', async () => {
    const world = await createWorld({ concurrency: 4 });
    const instance = world.instance();
    world.failures.set(1, 1);
    await world.commit(
      ...Array.from({ length: 1_500 }, (_, index) => fact(index === 0 ? 1 : 2 + (index % 3))),
    );
    await world.run(instance);
    expect(world.done.has(1)).toBe(false);
    expect(await world.position()).toBe(0);
    expect(world.done.size).toBeGreaterThan(900);
    expect(world.done.size).toBeLessThan(1_200);
    await endPauses(world, instance);
    expect(world.done.size).toBe(1_500);
    expect(world.disorder).toEqual([]);
    expect(await world.position()).toBe(1_500);
  });

  it('passes over facts of a kind that only a newer version knows', async () => {
    const world = await createWorld();
    await world.commit(fact(null, 'kind of a newer version'), fact());
    await world.run(world.instance());
    expect(world.calls).toEqual(['2']);
    expect(await world.position()).toBe(2);
  });

  it('is handled by one instance, and by another one soon after the first has died', async () => {
    const world = await createWorld();
    const [first, second] = [world.instance(), world.instance()];
    await world.commit(fact());
    await world.run(first);
    await world.commit(fact(), fact());
    await world.run(second);
    expect(world.calls).toEqual(['1']);
    first.isDead = true;
    world.clock.advance(15_000);
    await world.run(second);
    expect(world.calls).toEqual(['1', '2', '3']);
  });

  it('is handed over at once by an instance that stops', async () => {
    const world = await createWorld();
    const [first, second] = [world.instance(), world.instance()];
    await world.commit(fact());
    await world.run(first);
    first.stop.abort();
    await first.worker.end();
    await world.commit(fact());
    await world.run(second);
    expect(world.calls).toEqual(['1', '2']);
    expect(first.timers.delays()).toEqual([]);
  });

  it('is not moved back by an owner that was paused, which begins nothing more', async () => {
    const world = await createWorld();
    const [paused, next] = [world.instance(), world.instance()];
    await world.commit(fact(), fact(), fact());
    const { opened, open } = latch();
    paused.stall = opened;
    await world.run(paused);
    world.clock.advance(15_001);
    await world.run(next);
    expect(world.calls).toEqual(['1', '2', '3']);
    await next.worker.end();
    open();
    await quiet();
    await quiet();
    expect(world.calls).toEqual(['1', '2', '3', '1']);
    expect(await world.position()).toBe(3);
    expect(Math.max(...world.positions)).toBe(world.positions.at(-1));
  });

  it('is not handled by an owner that was paused between two facts, before it has renewed its lease', async () => {
    const world = await createWorld();
    const [paused, next] = [world.instance(), world.instance()];
    await world.commit(fact());
    await world.run(paused);
    world.clock.advance(15_001);
    await world.commit(fact());
    await world.run(next);
    await world.run(paused);
    expect(world.calls).toEqual(['1', '2']);
  });

  it('renews its lease while a handler takes long, and tells the handler when the lease is lost', async () => {
    const world = await createWorld();
    const [slow, other] = [world.instance(), world.instance()];
    await world.commit(fact());
    const { opened, open } = latch();
    slow.stall = opened;
    await world.run(slow);
    for (let renewal = 0; renewal < 4; renewal += 1) {
      world.clock.advance(5_000);
      await slow.timers.fire(5_000);
      await world.run(other);
    }
    expect(world.calls).toEqual([]);
    open();
    slow.stall = null;
    await quiet();
    expect(world.calls).toEqual(['1']);
  });

  it('goes on after an operator has resumed it, also if the owner could not give it back', async () => {
    const world = await createWorld();
    const instance = world.instance();
    await world.run(instance);
    await world.commit(fact(), fact(), fact());
    await world.storage.transaction(({ events }) => events.deleteBefore(1, 2));
    instance.isStorageAway = true;
    const ended = instance.worker.run(instance.stop.signal);
    await expect(ended).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    instance.isStorageAway = false;
    world.clock.advance(15_000);
    await world.storage.transaction(async ({ consumers }) => {
      const stored = await consumers.lock(NAME);
      if (stored !== null) await consumers.update({ ...stored, seq: 2, token: stored.token + 1 });
    });
    await world.run(instance);
    expect(world.calls).toEqual(['3']);
  });

  it('handles each fact at least once and in order while instances fail, stop, pause and die', async () => {
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constant('commit' as const),
          markets: fc.array(fc.nat(2), { minLength: 1, maxLength: 8 }),
        }),
      },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('run' as const), at: fc.nat(1) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('pauses end' as const), at: fc.nat(1) }) },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.constantFrom(3_000, 16_000) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('fail' as const),
          seq: fc.integer({ min: 1, max: 14 }),
          times: fc.integer({ min: 1, max: 4 }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('die' as const),
          at: fc.nat(1),
          transactions: fc.integer({ min: 1, max: 4 }),
          afterCommit: fc.boolean(),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), at: fc.nat(1) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('stall' as const), at: fc.nat(1) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('go on' as const), at: fc.nat(1) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 30 }),
        fc.constantFrom(1, 3),
        async (steps, concurrency) => {
          const world = await createWorld({ concurrency });
          const instances = [world.instance(), world.instance()];
          const gates: (() => void)[] = [];
          let committed = 10;
          await world.commit(...numbers(committed).map((number) => fact(Number(number) % 3)));
          for (const action of steps) {
            const at = 'at' in action ? action.at : 0;
            const instance = instances[at] as Instance;
            if (instance.isDead) instances[at] = world.instance();
            switch (action.do) {
              case 'commit':
                committed += action.markets.length;
                await world.commit(...action.markets.map((market) => fact(market === 0 ? null : market)));
                break;
              case 'run':
                if (instance.stall === null) await world.run(instance);
                break;
              case 'pauses end':
                if (instance.stall === null) await endPauses(world, instance);
                break;
              case 'advance':
                world.clock.advance(action.ms);
                break;
              case 'fail':
                world.failures.set(action.seq, action.times);
                break;
              case 'die':
                instance.death = { transactions: action.transactions, afterCommit: action.afterCommit };
                break;
              case 'stop':
                if (instance.stall !== null || instance.isDead) break;
                instance.stop.abort();
                void instance.worker.end();
                await quiet();
                instances[at] = world.instance();
                break;
              case 'stall': {
                if (instance.stall !== null) break;
                const { opened, open } = latch();
                instance.stall = opened;
                gates[at] = open;
                await world.run(instance);
                break;
              }
              case 'go on':
                gates[at]?.();
                instance.stall = null;
                await quiet();
                break;
            }
          }
          world.failures.clear();
          gates.forEach((open) => open());
          instances.forEach((instance) => (instance.isDead = true));
          await quiet();
          world.clock.advance(20_000);
          await world.run(world.instance());
          const missing = numbers(committed)
            .map(Number)
            .filter((seq) => !world.done.has(seq) && !world.parked.has(seq));
          expect({ missing, disorder: world.disorder, position: await world.position() }).toEqual({
            missing: [],
            disorder: [],
            position: committed,
          });
          expect(world.positions).toEqual([...world.positions].sort((a, b) => a - b));
        },
      ),
      { numRuns: 80 },
    );
  });
});
