/** The metrics of a server with several workers: the primary process combines those of all workers. */
import { AggregatorRegistry, type Registry } from 'prom-client';
import { sharedRead } from './shared-read';
import type { Figures } from './worker-messages';

const ANSWER_LIMIT_MS = 2_000;

export interface WorkerMetrics {
  /**
   * The metrics of all workers, combined, as one text. `null` if a worker does not answer in time: without
   * its counts, counters would seem to have gone back.
   */
  gather(): Promise<string | null>;
  answered(worker: number, round: number, figures: Figures): void;
  /** The worker has ended. */
  lost(worker: number): void;
}

/** `askAll` asks each ready worker for its figures, and returns the ids of these workers. */
export function createWorkerMetrics(
  askAll: (round: number) => readonly number[],
  limitMs = ANSWER_LIMIT_MS,
): WorkerMetrics {
  /** What each living worker has answered last. */
  const latest = new Map<number, Figures>();
  /** The last answers of workers that have ended since the last gathering. */
  const lately: Figures[] = [];
  /** The sums of the workers that had ended before the last gathering. */
  let past: Figures = [];
  let waiting = new Set<number>();
  let current = 0;
  let complete: () => void = () => undefined;

  const arrived = (worker: number): void => {
    waiting.delete(worker);
    if (waiting.size === 0) complete();
  };

  async function ask(): Promise<void> {
    current += 1;
    let timer: NodeJS.Timeout | undefined;
    const answers = new Promise<void>((resolve, reject) => {
      complete = resolve;
      timer = setTimeout(() => reject(new Error('a worker did not answer in time')), limitMs);
    });
    waiting = new Set(askAll(current));
    if (waiting.size === 0) complete();
    try {
      await answers;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    gather: sharedRead(async () => {
      await ask();
      const living = [...latest.values()];
      // Without the counts of ended workers, the sums would go down. Prometheus takes a smaller counter for a
      // restart, and counts its whole value as an increase.
      past = (await total([past, ...lately.splice(0)]).getMetricsAsJSON()) as unknown as Figures;
      return total([...living, past]).metrics();
    }),
    answered(worker, round, figures) {
      if (round !== current || !waiting.has(worker)) return;
      latest.set(worker, figures);
      arrived(worker);
    },
    lost(worker) {
      const last = latest.get(worker);
      if (last !== undefined) lately.push(last.filter(isCounted));
      latest.delete(worker);
      arrived(worker);
    },
  };
}

/** The `aggregator` of each metric says how the workers' values are combined, for example by their sum. */
function total(figures: readonly Figures[]): Registry {
  return AggregatorRegistry.aggregate([...figures]);
}

/**
 * A gauge shows the present state of its worker, and ends with it. The other types count events, which must
 * stay in the sums.
 */
function isCounted({ type }: Figures[number]): boolean {
  return ['counter', 'histogram', 'summary'].includes(String(type));
}
