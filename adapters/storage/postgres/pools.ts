import type { Load } from '../../shared/drivers/load-driver';
import { postgresPools, type PostgresPool, type PostgresServerOptions } from '../../shared/sql/postgres-pool';

/** Who may wait for whom: work of one pool never waits for a connection that work of another one holds. */
export interface ConnectionPools {
  /** Everything that has no pool of its own. */
  work: PostgresPool;
  /** The trade queue's, which runs one transaction at a time: other work cannot starve it. */
  lane: PostgresPool;
  /** Whether the storage answers, for `/ready`. */
  probe: PostgresPool;
  /** What may take minutes: an audit, one at a time; before it, a migration. */
  long: PostgresPool;
}

/** `maxConnections` are those of the work and the lane; the others open theirs when they need it, and close it soon after. */
export function connectionPools(
  { maxConnections, ...server }: PostgresServerOptions & { maxConnections: number },
  load?: Load,
): ConnectionPools {
  const pool = postgresPools(server, load);
  return { work: pool(maxConnections - 1), lane: pool(1), probe: pool(1), long: pool(1) };
}

export async function closePools({ work, lane, probe, long }: ConnectionPools): Promise<void> {
  await Promise.all([work, lane, probe, long].map((pool) => pool.close()));
}
