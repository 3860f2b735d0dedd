/**
 * The shutdown: the server accepts no further connection, finishes running requests and closes the market, all
 * within a time limit.
 */
import type { Server } from 'node:http';
import type { Standalone } from './app';

const DRAIN_LIMIT_MS = 10_000;
const CLOSE_LIMIT_MS = 10_000;
/** The longest time that a shutdown takes. */
export const STOP_LIMIT_MS = DRAIN_LIMIT_MS + CLOSE_LIMIT_MS;

export async function shutDown(server: Server, standalone: Standalone, signal: string): Promise<void> {
  const { market, payments, logger } = standalone;
  logger.info({ signal }, 'stopping: no new connections, running requests finish');
  standalone.startDraining();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // `server.close` waits for sockets and streams too. They would not end by themselves, so the market closes
  // them.
  const drained = Promise.all([closed, market.closeConnections()]).then(() => undefined);
  server.closeIdleConnections();
  if (!(await within(DRAIN_LIMIT_MS, drained))) {
    logger.warn({ limitMs: DRAIN_LIMIT_MS }, 'some requests did not finish in time and were cut off');
    server.closeAllConnections();
  }
  if (!(await within(CLOSE_LIMIT_MS, standalone.close()))) {
    logger.error({ limitMs: CLOSE_LIMIT_MS }, 'the market did not close in time');
  }
  payments.close();
  logger.info({}, 'stopped');
}

async function within(limitMs: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
