import { LONGEST_LEASE_MS, type LeaseRepository } from '../../../../src/ports/storage';
import { integer } from '../row-columns';
import type { Dialect } from '../dialect';
import { encodeRows, type Session } from '../session';

export function leaseRepository(dialect: Dialect): (session: Session) => LeaseRepository {
  const table = dialect.table('leases');
  const acquire = `WITH ${dialect.rows({ name: 'text', owner: 'text', until: 'integer' })}
    INSERT INTO ${table} AS l (name, owner, until, token) SELECT name, owner, until, 1 FROM r WHERE true
    ON CONFLICT (name) DO UPDATE SET
      token = l.token + CASE WHEN l.owner = excluded.owner THEN 0 ELSE 1 END,
      owner = excluded.owner, until = excluded.until
    WHERE l.owner = excluded.owner OR l.until <= $2 OR l.until > $3 RETURNING token`;
  // The row stays after a release, because the token of the next owner has to be higher.
  const release = `UPDATE ${table} SET owner = '', until = 0 WHERE name = $1 AND owner = $2`;

  return (session) => ({
    async acquire({ name, owner, now, until }) {
      const [row] = await session.query(acquire, [
        encodeRows([[name, owner, until]]),
        now,
        now + LONGEST_LEASE_MS,
      ]);
      return row === undefined ? null : { token: integer(row, 'token') };
    },
    async release({ name, owner }) {
      await session.query(release, [name, owner]);
    },
  });
}
