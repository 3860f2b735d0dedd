/**
 * The first schema. Money and shares are integers in micro-units (USDC base units, micro-shares), instants
 * are milliseconds since the epoch, and addresses are in lower case.
 *
 * | table          | holds |
 * |----------------|-------|
 * | settings       | values that all instances share: the event epoch, secrets |
 * | challenges     | challenges that are not used yet; consuming the nonce deletes the row |
 * | api_keys       | keys by the SHA-256 of the raw key; `scopes` are words with spaces between them |
 * | creators, creator_totals | the status of each creator; how many creators have each status |
 * | markets, market_totals | a market with its pool and shares; number and worst losses of markets by status and category |
 * | accounts       | balances and counters of wallets, `treasury`, `external`; a pool is a column of its market |
 * | postings, entries | the ledger: one row for each posting, and its entries, which sum to zero |
 * | positions      | shares for each (market, wallet, side); `settled` is 0 or 1 |
 * | trades         | executed trades and, at most once for each (market, wallet, side), settlements |
 * | candles        | YES prices in millionths for each (market, length, start) |
 * | events         | the outbox; `seq` counts all events without gaps |
 * | idempotency    | the stored answer of a request, for each wallet and key |
 * | deposits       | operators' credits by reference |
 * | leases         | the owner of a named job, one at a time; `token` is the fencing token |
 *
 * CHECK constraints protect the books in addition to the domain code: the balance of a wallet is never
 * negative or below its reserved part. On SQLite the tables are STRICT, so that a sum beyond 64 bits is
 * refused and not stored as a rounded float.
 */
import type { Dialect } from '../dialect';

export function initialSchema(dialect: Dialect): string[] {
  return [
    ...identity(dialect),
    ...markets(dialect),
    ...ledger(dialect),
    ...trading(dialect),
    ...plumbing(dialect),
  ];
}

function identity({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    `CREATE TABLE ${table('settings')} (
      name ${text} NOT NULL PRIMARY KEY, value ${text} NOT NULL
    ) ${ddl.clusteredTable}`,
    `CREATE TABLE ${table('challenges')} (
      nonce ${text} NOT NULL PRIMARY KEY, address ${text} NOT NULL, action ${text} NOT NULL, key_id ${integer},
      format ${text} NOT NULL, message ${text} NOT NULL, issued_at ${integer} NOT NULL, expires_at ${integer} NOT NULL
    ) ${ddl.clusteredTable}`,
    `CREATE INDEX challenges_by_expiry ON ${table('challenges')} (expires_at)`,
    `CREATE TABLE ${table('api_keys')} (
      id ${ddl.identity}, wallet ${text} NOT NULL, hash ${text} NOT NULL UNIQUE, prefix ${text} NOT NULL,
      label ${text}, scopes ${text} NOT NULL, rate_limit ${integer} NOT NULL, created_at ${integer} NOT NULL,
      last_used_at ${integer}, revoked_at ${integer}
    ) ${ddl.heapTable}`,
    `CREATE INDEX api_keys_active ON ${table('api_keys')} (wallet, id) WHERE revoked_at IS NULL`,
    `CREATE TABLE ${table('creators')} (
      address ${text} NOT NULL PRIMARY KEY, status ${text} NOT NULL, display_name ${text}, statement ${text},
      applied_at ${integer}, approved_at ${integer}, rejected_reason ${text}, updated_at ${integer} NOT NULL
    ) ${ddl.clusteredTable}`,
    `CREATE INDEX creators_by_update ON ${table('creators')} (updated_at DESC, address)`,
    `CREATE INDEX creators_by_status ON ${table('creators')} (status, updated_at DESC, address)`,
    `CREATE TABLE ${table('creator_totals')} (
      status ${text} NOT NULL PRIMARY KEY, creators ${integer} NOT NULL
    ) ${ddl.clusteredTable}`,
  ];
}

function markets({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    ...ddl.marketIds,
    `CREATE TABLE ${table('markets')} (
      id ${integer} NOT NULL PRIMARY KEY, slug ${text} NOT NULL UNIQUE, question ${text} NOT NULL,
      description ${text}, resolution_criteria ${text} NOT NULL, category ${text} NOT NULL,
      creator ${text} NOT NULL, status ${text} NOT NULL CHECK (status IN ('open', 'resolving', 'resolved')),
      created_at ${integer} NOT NULL, resolve_date ${integer} NOT NULL,
      liquidity_parameter ${integer} NOT NULL CHECK (liquidity_parameter > 0),
      shares_yes ${integer} NOT NULL CHECK (shares_yes >= 0), shares_no ${integer} NOT NULL CHECK (shares_no >= 0),
      pool ${integer} NOT NULL, volume ${integer} NOT NULL CHECK (volume >= 0), trade_count ${integer} NOT NULL,
      market_seq ${integer} NOT NULL,
      outcome ${text} CHECK (outcome IN ('YES', 'NO', 'VOID')), resolved_at ${integer},
      oracle_consensus ${ddl.real}, resolution_note ${text},
      due_at ${integer}, lease_token ${integer} NOT NULL, oracle_attempts ${integer} NOT NULL
    ) ${ddl.heapTable}`,
    // Three indexes serve all sorts and filters, because a list merges one short branch for each (status,
    // category).
    `CREATE INDEX markets_by_volume ON ${table('markets')} (status, category, volume, id)`,
    `CREATE INDEX markets_by_id ON ${table('markets')} (status, category, id)`,
    `CREATE INDEX markets_by_resolve_date ON ${table('markets')} (status, category, resolve_date, id)`,
    `CREATE INDEX markets_due ON ${table('markets')} (due_at, id) WHERE due_at IS NOT NULL`,
    `CREATE TABLE ${table('market_totals')} (
      status ${text} NOT NULL, category ${text} NOT NULL, markets ${integer} NOT NULL, exposure ${integer} NOT NULL,
      PRIMARY KEY (status, category)
    ) ${ddl.clusteredTable}`,
  ];
}

function ledger({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    `CREATE TABLE ${table('accounts')} (
      id ${text} NOT NULL PRIMARY KEY, balance ${integer} NOT NULL, reserved ${integer} NOT NULL,
      activity_count ${integer} NOT NULL, open_positions ${integer} NOT NULL, total_positions ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      CONSTRAINT wallet_is_covered
        CHECK (substr(id, 1, 7) <> 'wallet:' OR (balance >= 0 AND reserved >= 0 AND reserved <= balance))
    ) ${ddl.clusteredTable}`,
    `CREATE TABLE ${table('postings')} (
      id ${ddl.identity}, reference ${text} NOT NULL UNIQUE, kind ${text} NOT NULL, created_at ${integer} NOT NULL
    ) ${ddl.heapTable}`,
    `CREATE TABLE ${table('entries')} (
      posting_id ${integer} NOT NULL REFERENCES ${table('postings')} (id), line ${integer} NOT NULL,
      account ${text} NOT NULL, amount ${integer} NOT NULL,
      PRIMARY KEY (posting_id, line)
    ) ${ddl.clusteredTable}`,
    `CREATE TABLE ${table('deposits')} (
      reference ${text} NOT NULL PRIMARY KEY, wallet ${text} NOT NULL, amount ${integer} NOT NULL CHECK (amount > 0),
      balance_after ${integer} NOT NULL, created_at ${integer} NOT NULL
    ) ${ddl.clusteredTable}`,
  ];
}

function trading({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    `CREATE TABLE ${table('positions')} (
      market_id ${integer} NOT NULL, wallet ${text} NOT NULL, side ${text} NOT NULL CHECK (side IN ('YES', 'NO')),
      shares ${integer} NOT NULL CHECK (shares >= 0), cost_basis ${integer} NOT NULL, realized_pnl ${integer} NOT NULL,
      fees_paid ${integer} NOT NULL, settled ${integer} NOT NULL CHECK (settled IN (0, 1)), updated_at ${integer} NOT NULL,
      PRIMARY KEY (market_id, wallet, side)
    ) ${ddl.clusteredTable}`,
    `CREATE INDEX positions_open ON ${table('positions')} (wallet, market_id, side) WHERE shares > 0`,
    `CREATE INDEX positions_closed ON ${table('positions')} (wallet, market_id, side) WHERE shares = 0`,
    `CREATE INDEX positions_unsettled ON ${table('positions')} (market_id, wallet, side) WHERE shares > 0 AND settled = 0`,
    `CREATE TABLE ${table('trades')} (
      id ${ddl.identity}, type ${text} NOT NULL CHECK (type IN ('trade', 'settlement')), market_id ${integer} NOT NULL,
      wallet ${text} NOT NULL, side ${text} NOT NULL, action ${text} NOT NULL, shares ${integer} NOT NULL,
      notional ${integer} NOT NULL, fee ${integer} NOT NULL, total_cost ${integer} NOT NULL,
      realized_pnl ${integer} NOT NULL, yes_price_after ${integer} NOT NULL, created_at ${integer} NOT NULL
    ) ${ddl.heapTable}`,
    `CREATE INDEX trades_by_market ON ${table('trades')} (market_id, side, id) WHERE type = 'trade'`,
    `CREATE INDEX trades_by_wallet ON ${table('trades')} (wallet, id)`,
    `CREATE UNIQUE INDEX trades_settled_once ON ${table('trades')} (market_id, wallet, side) WHERE type = 'settlement'`,
    `CREATE TABLE ${table('candles')} (
      market_id ${integer} NOT NULL, resolution_ms ${integer} NOT NULL, time ${integer} NOT NULL,
      open ${integer} NOT NULL, high ${integer} NOT NULL, low ${integer} NOT NULL, close ${integer} NOT NULL,
      volume ${integer} NOT NULL, trades ${integer} NOT NULL,
      PRIMARY KEY (market_id, resolution_ms, time)
    ) ${ddl.clusteredTable}`,
  ];
}

function plumbing({ table, ddl }: Dialect): string[] {
  const { integer, text } = ddl;
  return [
    `CREATE TABLE ${table('events')} (
      ${ddl.eventColumns}, market_id ${integer}, market_seq ${integer}, kind ${text} NOT NULL,
      created_at ${integer} NOT NULL, data ${text} NOT NULL
    ) ${ddl.heapTable}`,
    ...ddl.eventIndexes,
    `CREATE INDEX events_by_age ON ${table('events')} (created_at, seq)`,
    `CREATE TABLE ${table('idempotency')} (
      wallet ${text} NOT NULL, idempotency_key ${text} NOT NULL, request_hash ${text} NOT NULL, answer ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (wallet, idempotency_key)
    ) ${ddl.clusteredTable}`,
    `CREATE INDEX idempotency_by_age ON ${table('idempotency')} (created_at)`,
    `CREATE TABLE ${table('leases')} (
      name ${text} NOT NULL PRIMARY KEY, owner ${text} NOT NULL, until ${integer} NOT NULL, token ${integer} NOT NULL
    ) ${ddl.clusteredTable}`,
  ];
}
