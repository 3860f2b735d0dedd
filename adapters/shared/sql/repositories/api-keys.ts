import type { ApiKeyRepository } from '../../../../src/ports/storage';
import type { Dialect } from '../dialect';
import { API_KEY_COLUMNS, toApiKey } from '../row-mappers';
import { encodeRows, encodeTexts, type Session } from '../session';

const INSERTED =
  'wallet, hash, prefix, label, scopes, rate_limit, window_of, created_at, last_used_at, revoked_at';

function statements(dialect: Dialect) {
  const table = dialect.table('api_keys');
  const select = `SELECT ${API_KEY_COLUMNS} FROM ${table}`;
  return {
    byHashes: `${select} WHERE ${dialect.among('hash', 'text')} AND revoked_at IS NULL`,
    listActive: `${select} WHERE wallet = $1 AND revoked_at IS NULL ORDER BY id`,
    find: `${select} WHERE id = $1`,
    insert: `WITH ${dialect.rows({
      wallet: 'text',
      hash: 'text',
      prefix: 'text',
      label: 'text',
      scopes: 'text',
      rate_limit: 'integer',
      window_of: 'integer',
      created_at: 'integer',
      last_used_at: 'integer',
      revoked_at: 'integer',
    })} INSERT INTO ${table} (${INSERTED}) SELECT ${INSERTED} FROM r RETURNING ${API_KEY_COLUMNS}`,
    revoke: `UPDATE ${table} SET revoked_at = $3 WHERE id = $1 AND wallet = $2 AND revoked_at IS NULL
      RETURNING ${API_KEY_COLUMNS}`,
    update: `UPDATE ${table} SET rate_limit = COALESCE($2, rate_limit), scopes = COALESCE($3, scopes)
      WHERE id = $1 AND revoked_at IS NULL RETURNING ${API_KEY_COLUMNS}`,
    touch: `WITH ${dialect.rows({ key_id: 'integer', used_at: 'integer' })}
      UPDATE ${table} SET last_used_at = r.used_at
      FROM (SELECT key_id, max(used_at) AS used_at FROM r GROUP BY key_id) AS r
      WHERE id = r.key_id AND (last_used_at IS NULL OR last_used_at < r.used_at)`,
  };
}

export function apiKeyRepository(dialect: Dialect): (session: Session) => ApiKeyRepository {
  const sql = statements(dialect);

  return (session) => ({
    async findActiveByHashes(hashes) {
      return (await session.query(sql.byHashes, [encodeTexts(hashes)])).map(toApiKey);
    },
    async listActive(wallet) {
      return (await session.query(sql.listActive, [wallet])).map(toApiKey);
    },
    async find(id) {
      const [row] = Number.isSafeInteger(id) ? await session.query(sql.find, [id]) : [];
      return row === undefined ? null : toApiKey(row);
    },
    async insert(key) {
      const { wallet, hash, prefix, label, scopes, rateLimit, windowOf, createdAt, lastUsedAt, revokedAt } =
        key;
      const cells = [
        wallet,
        hash,
        prefix,
        label,
        scopes.join(' '),
        rateLimit,
        windowOf,
        createdAt,
        lastUsedAt,
        revokedAt,
      ];
      const [row] = await session.query(sql.insert, [encodeRows([cells])]);
      if (row === undefined) throw new Error('the inserted key did not come back');
      return toApiKey(row);
    },
    async revoke(id, wallet, now) {
      const [row] = Number.isSafeInteger(id) ? await session.query(sql.revoke, [id, wallet, now]) : [];
      return row === undefined ? null : { ...toApiKey(row), revokedAt: null };
    },
    async update(id, { rateLimit, scopes }) {
      if (!Number.isSafeInteger(id)) return null;
      const bind = [id, rateLimit ?? null, scopes?.join(' ') ?? null];
      const [row] = await session.query(sql.update, bind);
      return row === undefined ? null : toApiKey(row);
    },
    async touch(uses) {
      await session.query(sql.touch, [encodeRows(uses.map(({ id, usedAt }) => [id, usedAt]))]);
    },
  });
}
