import { performance } from 'node:perf_hooks';

export interface LoadResult {
  rate: number;
  p50Ms: number;
  p99Ms: number;
  /** Microseconds of processor time of this process for one call, including the work of the load generator. */
  cpuMicros: number;
}

export async function closedLoop(
  clients: number,
  seconds: number,
  call: (client: number, count: number) => Promise<unknown>,
): Promise<LoadResult> {
  const latencies: number[] = [];
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const end = started + seconds * 1000;
  const client = async (index: number): Promise<void> => {
    for (let count = 0; performance.now() < end; count += 1) {
      const sent = performance.now();
      await call(index, count);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  const elapsedSeconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    rate: latencies.length / elapsedSeconds,
    ...percentiles(latencies),
    cpuMicros: (user + system) / latencies.length,
  };
}

/** Percentiles of times in milliseconds. Sorts `times` in place. */
export function percentiles(times: number[]): { p50Ms: number; p99Ms: number } {
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
