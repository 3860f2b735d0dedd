/** A closed loop: a number of clients, each with one call in flight, for a given time. */
import { performance } from 'node:perf_hooks';

export interface LoadResult {
  rate: number;
  p50Ms: number;
  p99Ms: number;
  /** The processor time of this process for one call, in microseconds. It has the load generator in it. */
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
  latencies.sort((a, b) => a - b);
  const percentile = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))] ?? 0;
  return {
    rate: latencies.length / elapsedSeconds,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    cpuMicros: (user + system) / latencies.length,
  };
}
