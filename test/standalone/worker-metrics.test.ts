import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createWorkerMetrics } from '../../examples/standalone/worker-metrics';
import type { Figures } from '../../examples/standalone/worker-messages';

async function figures(trades: number, treasury = 5, sockets = 1): Promise<Figures> {
  const registers = [new Registry()];
  new Counter({ name: 'trades_total', help: '-', registers }).inc(trades);
  new Gauge({ name: 'treasury', help: '-', registers, aggregator: 'first' }).set(treasury);
  new Gauge({ name: 'sockets', help: '-', registers }).set(sockets);
  const seconds = new Histogram({ name: 'seconds', help: '-', buckets: [1], registers });
  for (let trade = 0; trade < trades; trade += 1) seconds.observe(0.5);
  return registers[0]?.getMetricsAsJSON() ?? [];
}

/** A worker whose figures are `null` never answers. */
function serverOf(workers: Map<number, Figures | null>, limitMs?: number) {
  const metrics = createWorkerMetrics((round) => {
    for (const [worker, answer] of workers)
      if (answer !== null) queueMicrotask(() => metrics.answered(worker, round, answer));
    return [...workers.keys()];
  }, limitMs);
  return metrics;
}

const lines = (text: string | null): string[] => (text ?? '').split('\n');

describe('the metrics of several workers', () => {
  it('add up counts, and show a figure of the storage once', async () => {
    const metrics = serverOf(
      new Map([
        [1, await figures(3)],
        [2, await figures(4)],
      ]),
    );
    const expected = [
      'trades_total 7',
      'treasury 5',
      'sockets 2',
      'seconds_count 7',
      'seconds_bucket{le="1"} 7',
    ];
    expect(lines(await metrics.gather())).toEqual(expect.arrayContaining(expected));
  });

  it('keep the counts of an ended worker, and not its gauges', async () => {
    const workers = new Map([
      [1, await figures(3)],
      [2, await figures(4)],
    ]);
    const metrics = serverOf(workers);
    await metrics.gather();
    metrics.lost(2);
    workers.delete(2);
    workers.set(3, await figures(1));
    for (const scrape of ['first', 'second'])
      expect([scrape, ...lines(await metrics.gather())]).toEqual(
        expect.arrayContaining(['trades_total 8', 'seconds_count 8', 'sockets 2', 'treasury 5']),
      );
  });

  it('are none when a worker does not answer in time, and none wait for a worker that ended', async () => {
    const metrics = serverOf(
      new Map([
        [1, await figures(3)],
        [2, null],
      ]),
      20,
    );
    expect(await metrics.gather()).toBeNull();
    const gathered = metrics.gather();
    metrics.lost(2);
    expect(lines(await gathered)).toContain('trades_total 3');
  });

  it('do not take a late answer for one of the present round', async () => {
    const late = await figures(9);
    const workers = new Map<number, Figures | null>([[1, null]]);
    const metrics = serverOf(workers, 20);
    expect(await metrics.gather()).toBeNull();
    workers.set(1, await figures(10));
    const gathered = metrics.gather();
    metrics.answered(1, 1, late);
    expect(lines(await gathered)).toContain('trades_total 10');
  });
});
