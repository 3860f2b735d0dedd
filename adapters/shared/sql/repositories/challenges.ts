import type { ChallengeRepository } from '../../../../src/ports/storage';
import type { Dialect } from '../dialect';
import { CHALLENGE_COLUMNS, toChallenge } from '../row-mappers';
import { encodeRows, type Session } from '../session';

export function challengeRepository(dialect: Dialect): (session: Session) => ChallengeRepository {
  const table = dialect.table('challenges');
  const insert = `WITH ${dialect.rows({
    nonce: 'text',
    address: 'text',
    action: 'text',
    key_id: 'integer',
    format: 'text',
    message: 'text',
    issued_at: 'integer',
    expires_at: 'integer',
  })} INSERT INTO ${table} (${CHALLENGE_COLUMNS}) SELECT ${CHALLENGE_COLUMNS} FROM r`;
  const consume = `DELETE FROM ${table} WHERE nonce = $1 RETURNING ${CHALLENGE_COLUMNS}`;
  const deleteExpired = `DELETE FROM ${table} WHERE nonce IN (
    SELECT nonce FROM ${table} WHERE expires_at < $1 ORDER BY expires_at LIMIT $2
  ) RETURNING nonce`;

  return (session) => ({
    async insert({ nonce, address, action, keyId, format, message, issuedAt, expiresAt }) {
      const row = [nonce, address, action, keyId, format, message, issuedAt, expiresAt];
      await session.query(insert, [encodeRows([row])]);
    },
    async consume(nonce) {
      const [row] = await session.query(consume, [nonce]);
      return row === undefined ? null : toChallenge(row);
    },
    async deleteExpired(before, limit) {
      return (await session.query(deleteExpired, [before, limit])).length;
    },
  });
}
