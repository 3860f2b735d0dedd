import {
  checkOptions,
  isWellEncoded,
  mustBe,
  nested,
  optional,
  type Checks,
} from '../../../src/domain/options';
import { postgresDialect } from '../../shared/sql/postgres-dialect';
import { sqlRepositories } from '../../shared/sql/repositories';
import { MIGRATION_CHECKS, type MigrationOptions } from '../../shared/sql/run-migrations';
import { sqlStorage, type SqlStorage } from '../../shared/sql/sql-storage';
import { postgresConnector } from './connector';
import { connectionPools } from './pools';

export type { MigrationOptions, MigrationStep } from '../../shared/sql/run-migrations';
export type { SqlStorage, SqlStorageStats } from '../../shared/sql/sql-storage';

export interface PostgresStorageOptions extends MigrationOptions {
  /** The address, as in `postgres://user:password@host:port/database`. */
  url: string;
  /**
   * The schema in the host's database that contains the tables. A missing schema is created, unless `migrate`
   * is `false`. Default `prediction_market`.
   */
  schema?: string | undefined;
  /**
   * The most connections that this process keeps for its callers. One of them is reserved for trades. Default
   * 10. Up to two more connections are opened when they are needed: for the readiness check, and for an audit or
   * a migration.
   */
  pool?: { max?: number | undefined } | undefined;
  /** TLS, as the option `ssl` of the package pg takes it: `true`, or an object such as `{ ca }`. */
  ssl?: boolean | Record<string, unknown> | undefined;
  /**
   * Whether statements are prepared by name, so that the server parses and plans each text once for each
   * connection. With `auto`, the default, statements are prepared unless there is a pooler, which may use
   * another session for each transaction. `true` is for poolers that keep track of prepared statements
   * (PgBouncer 1.21 and newer, with `max_prepared_statements`).
   */
  preparedStatements?: boolean | 'auto' | undefined;
}

const CHECKS: Checks<PostgresStorageOptions> = {
  ...MIGRATION_CHECKS,
  url: mustBe(
    'of the form postgres://user:password@host:port/database, with signs such as / ? # % of a password as %2F %3F %23 %25',
    isAddress,
    { secret: true },
  ),
  schema: optional(
    mustBe(
      'lower-case letters, digits and _, at most 63, without a digit at its front',
      (value) => typeof value === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(value),
    ),
  ),
  // One connection is reserved for trades. All other work needs at least one more.
  pool: optional(
    nested({
      max: optional(
        mustBe('an integer of at least 2', (value) => Number.isSafeInteger(value) && Number(value) >= 2),
      ),
    }),
  ),
  ssl: optional(
    mustBe(
      'true, false or an object',
      (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null),
    ),
  ),
  preparedStatements: optional(
    mustBe("true, false or 'auto'", (value) => value === 'auto' || typeof value === 'boolean'),
  ),
};

/**
 * Whether the driver can parse the address. For some addresses that it cannot parse, Node prints an error
 * with the password in it. The driver accepts an address without a host and `URL` does not, so this check
 * inserts a host.
 */
function isAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !/^postgres(ql)?:\/\//.test(value)) return false;
  return isWellEncoded(value) && URL.canParse(value.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1localhost'));
}

/**
 * Storage in Postgres (14 or newer), which any number of instances share. It needs no session state, so it
 * works behind a pooler in transaction mode.
 *
 * @throws Error of one line when the package `sequelize` or `pg` is not installed, TypeError for a wrong
 * option.
 */
export function postgresStorage(options: PostgresStorageOptions): SqlStorage {
  checkOptions('postgresStorage', options, CHECKS);
  const { url, schema = 'prediction_market', pool = {}, ssl, preparedStatements = 'auto' } = options;
  const { migrate, onMigration } = options;
  const migrations = { migrate, onMigration };
  const maxConnections = pool.max ?? 10;
  const dialect = postgresDialect(schema);
  const tls = ssl === undefined ? {} : { ssl };
  const pools = connectionPools({ url, maxConnections, preparedStatements, ...tls });
  return sqlStorage(postgresConnector(pools, dialect, { schema, migrations }), sqlRepositories(dialect));
}
