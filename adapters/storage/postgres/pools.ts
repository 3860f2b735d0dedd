import type { Load } from '../../shared/drivers/load-driver';
import { postgresPools, type PostgresPool, type PostgresServerOptions } from '../../shared/sql/postgres-pool';

/** Separate pools. Work in one pool never waits for a connection of another pool. */
export interface ConnectionPools {
  /** The pool for all work that has no pool of its own. */
  work: PostgresPool;
  /** The pool of the trade queue, which runs one transaction at a time. Other work cannot use its connection. */
  trades: PostgresPool;
  /** The pool of the readiness check behind `/ready`. */
  probe: PostgresPool;
  /** The pool for work that may take minutes: a migration at the start, and one audit at a time. */
  long: PostgresPool;
}

/**
 * Makes the pools. `maxConnections` counts the connections for work and trades. Connections of the other pools
 * are opened when needed and closed soon after.
 */
export function connectionPools(
  { maxConnections, ...server }: PostgresServerOptions & { maxConnections: number },
  load?: Load,
): ConnectionPools {
  const pool = postgresPools(server, load);
  return { work: pool(maxConnections - 1), trades: pool(1), probe: pool(1), long: pool(1) };
}

export async function closePools({ work, trades, probe, long }: ConnectionPools): Promise<void> {
  await Promise.all([work, trades, probe, long].map((pool) => pool.close()));
}
