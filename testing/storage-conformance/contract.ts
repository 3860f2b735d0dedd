/**
 * The sentences of src/ports/storage, under names that tests cite. A test of ours compares both files: no sentence of the
 * port is missing here, and none is here that no check cites.
 */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  // Transactions
  atomic:
    '`transaction` is atomic and isolated: all of its writes or none, invisible to others until it has committed; what `work` throws rolls back and is rethrown.',
  serial:
    'Two transactions that lock the same rows run one after the other, and the second sees what the first committed.',
  rerun:
    'A transaction that the database aborts for concurrency is run again whole, so `work` must have no effect besides its writes.',
  atOnce: 'Calls that do not depend on each other may be made at once, without waiting for the earlier ones.',
  reads: '`read` sees committed data only, each statement for itself; `snapshot` sees one moment throughout.',
  kept: 'What has committed is seen by every handle at once, and is still there when the data are opened again, after a `close` or a crash.',
  whole: 'What was written is read as it was written, in every field.',
  ownObjects: 'Callers and storage share no objects.',
  exact: 'Integers of money and shares are exact over the whole range of a signed 64-bit integer.',
  ordered: 'Every list has the order that its comment states.',
  away: 'A storage that is away rejects with code SERVICE_UNAVAILABLE within 5 seconds.',
  unknownCommit: 'A commit whose outcome is unknown rejects with the same code.',

  auditLane:
    'An adapter with few connections gives it a connection of its own, so that no other call waits for it, and runs one audit at a time: a second one that does not get its turn within 5 seconds is refused with SERVICE_UNAVAILABLE.',
  tradeLane: 'An adapter with few connections keeps one for it, so that other work cannot delay it.',

  // A handle
  name: 'For logs: `memory`, `sqlite`, `postgres`, or a name of your own.',
  open: 'Connects and migrates.',
  closeWaits: 'Waits for the calls that are running, then releases the database.',
  closed: 'Later calls reject with SERVICE_UNAVAILABLE.',
  ping: 'Resolves when the storage can answer a query.',

  // Settings, challenges, keys, creators
  putIfAbsent: 'Stores `value` unless the name is taken, and returns the stored value.',
  consume:
    'Takes the challenge out: the first caller gets it, every later one (and an unknown nonce) `null`.',
  deleteExpired:
    'Removes at most `limit` challenges that expired before the instant, and returns their number.',
  keysByHash: 'Keys that are not revoked, in any order; unknown hashes are left out.',
  keysById: 'By id, ascending.',
  revoke: 'Revokes an active key of this wallet and returns it as it was; `null` if there is none.',
  revokeOnce: 'Of several calls at once, one succeeds.',
  updateKey: 'Changes an active key; `null` if there is none.',
  touch: 'Moves `lastUsedAt` forward, never back.',
  creatorList: 'Newest change first (`updatedAt`, then address ascending).',
  held: 'As `find`, and locks the row until the transaction ends.',
  heldById: 'As `find`, by id, and locks the row until the transaction ends.',
  save: 'Inserts or replaces.',

  // Markets
  displayName: 'A market with the display name of its creator.',
  openStatus:
    '`open` leaves out markets whose resolve date has come (they await the oracle); `resolving` has them.',
  judgedByNow: 'Judged by `now`.',
  unknownCategory: 'An unknown category matches nothing.',
  ties: 'Equal volumes: newest id first; equal resolve dates: lowest id first.',
  unknownIds: 'In any order; unknown ids are left out.',
  listTotal: '`total` counts all matches.',
  pageCost: 'Costs the page, not the table: totals come from counters kept at write time.',
  nextId: 'A fresh id; gaps are allowed.',
  slugTaken: '`false`, and nothing written, when the slug is taken.',
  insertTotals: 'Does not touch the totals.',
  lockMarkets: 'Locks and reads; ascending by id; unknown ids are left out.',
  updateMarket:
    "Writes everything that changes in a market's life (slug, texts, creator and dates of creation do not).",
  leaseMarkets:
    'Takes up to `limit` markets with `dueAt <= now` that no other caller is taking at this moment, earliest first: sets `dueAt = leaseUntil`, raises `leaseToken`, and returns them as they are then.',
  totals: 'Waits for no lock: what another transaction is writing counts once it has committed.',
  lockTotals: 'As `totals`, and locks them until the transaction ends.',
  addTotals: 'Adds to the totals; creates rows as needed.',
  risksOf: 'What `addRisk` has added up for a creator, by liquidity parameter, ascending.',
  addRisk: 'Adds to `risksOf`; creates rows as needed.',

  // Accounts and the ledger
  lockAccounts:
    'Creates the missing accounts empty, locks all in ascending order of id, and returns them in that order.',
  apply: 'Adds to each account (one change for each account), and creates it as needed.',
  overdraft: 'Rejects if a wallet would fall below zero, or below what is reserved.',
  posting: 'The entries of one posting, in the order in which they were written; `null` if there is none.',
  badPosting: 'Rejects a posting that does not sum to zero, and a reference that exists.',

  // Positions, trades, candles
  openPositions: '`open`: positions that have shares.',
  positionOrder: 'Newest market first (market id descending, YES before NO).',
  positionTotal: "`total` from the account's counters.",
  walk: 'At most `limit` open positions in the order of `list`, beginning after the given one (`null`: with the first).',
  walkCost: 'Costs the page, however many positions come before it.',
  findPositions: 'Positions of these wallets on these markets, both sides, those that exist.',
  savePositions: 'Inserts or replaces by (market, wallet, side).',
  unsettled:
    'Positions of a market that have shares and are not settled, by wallet and side, at most `limit`.',
  tradesOfMarket: 'Newest id first; settlements left out.',
  tradesOfWallet: 'Trades and settlements, newest id first.',
  tradeTotal: "`total` from the account's counter.",
  tradeIds: 'Returns the ids in the order given, ascending.',
  secondSettlement: 'A second settlement of one (market, wallet, side) is rejected.',
  candleRange: 'Stored buckets with from <= time < to, ascending; the newest `limit` of them.',
  lastCandle: 'The newest bucket that starts before the instant.',
  candleVolumes:
    'Volume of each market in the stored buckets with time >= from, by market id; markets without any are left out.',
  mergeCandles:
    'Merges each candle into the stored bucket: keeps its open, widens high and low, replaces close, adds volume and trades.',

  // Events
  eventsAfter:
    'Sequenced events with a greater `seq`, ascending, at most `limit`; empty only when there are none.',
  eventHole:
    'Where `deleteBefore` has removed numbers in between, a page may be shorter than `limit` although more follow.',
  eventNumbering:
    'Which call gives events their `seq`: `append` itself, or `sequence`, which the event relay calls after the commit (`relay`).',
  head: 'The newest sequenced `seq`; 0 when there is none.',
  sequence: 'Gives `seq` to committed events that have none, gap-free, keeping the order of each market.',
  sequenceCount:
    'Returns how many: fewer than `limit` when none is left; more when events appended together are numbered together; 0 where `append` does it.',
  deleteEvents:
    'Removes sequenced events created before the instant, the oldest first, until `limit` are removed; never the newest one.',
  deletedCount: 'Returns how many.',

  // Idempotency, deposits, leases
  takenKey:
    'A taken (wallet, key) makes the transaction run again whole (as a serialization failure does), so that the next run finds it.',
  deleteRecords:
    'Removes records that were created before the instant, at most `limit`; returns how many went.',
  depositOnce:
    '`false`, and nothing written, when the reference exists; waits for a transaction that is writing the same one.',
  fundsAfter: 'Writes what the wallet has after the credit.',
  lease: 'Takes or renews the lease; `null` while another owner has it.',
  leaseToken: '`token` rises whenever the owner changes.',
  release: 'Ends the lease of this owner; the lease of another owner stays.',

  // Payments and withdrawals
  newestFirst: 'Newest first (id descending).',
  claim:
    'Claims (asset, payer, nonce): `null`, and nothing written, when it is taken; waits for a transaction that is writing the same one.',
  paymentIds: 'Ids are unique; gaps are allowed.',
  updatePayment:
    'Writes everything but the key, `operation`, `fingerprint`, `amount` and `createdAt`; rejects where there is no such row.',
  giveBack: 'Removes the payment, so that its key can be claimed again.',
  leasePayments:
    'Takes up to `limit` payments with `dueAt <= now` that no other caller is taking at this moment, earliest first: sets `dueAt` and `leaseUntil` to `leaseUntil`, raises `leaseToken`, and returns them as they are then.',
  deleteRejected:
    'Removes at most `limit` rejected payments that were last changed before the instant and that no operator has decided on, and returns their number.',
  withdrawalTotal: "`total` from the newest one's `walletSeq`.",
  openWithdrawals: 'Pending and sent ones with a greater id, ascending, at most `limit`.',
  openOfStatus: 'With a `status` only those of that status.',
  countOpen: 'How many pending and sent ones the wallet has.',
  withdrawalIds: 'Gives it an id above all earlier ones of the wallet, and the next `walletSeq`.',
  updateWithdrawal:
    'Writes `status`, `payoutState`, `transaction`, `reason` and `updatedAt`; rejects where there is no such row.',

  // Audit
  audit:
    "Recomputes from entries, trades and withdrawals: postings sum to zero; balances and pools equal their entries; what an account has reserved equals its open withdrawals (kind `account`, subject `<account> reserved`); each deposit and each confirmed withdrawal has its posting over the same amount, and no other withdrawal has one (kind `posting`, subjects `deposit:<reference>` and `withdrawal:<id>`); positions equal their trades; a market's outstanding shares equal its positions (until it is resolved); trade and position counters agree; each candle has the volume, the number and the last price of its trades, and the newest of each length closes at the price of the market's newest trade (kind `candle`, subjects `market:<id> candle <length in ms> <start> <figure>`, and `market:<id> candle <length in ms> newest`); the risks of the house (`risksOf`) equal the creator's markets that are not resolved and what resolution postings took from the treasury (kind `house`, subjects `house:<creator>:<liquidity parameter> unresolved` and `house:<creator>:<liquidity parameter> lost`).",
  auditLimit: 'At most 100.',
  house: 'Adds up what is stored of wallets, pools and markets that are not resolved.',
} as const;

export type StorageSentence = keyof typeof SENTENCES;

export const STORAGE_CONTRACT: Contract<StorageSentence> = { port: 'Storage', sentences: SENTENCES };

/** What binds the caller, or only says what a field holds: nothing that an adapter could break. */
export const STORAGE_EXPLANATIONS: readonly string[] = [
  '`audit`: it reads everything and may take minutes.',
  '`trades`: the transaction of a batch of orders, of which a process runs one at a time.',
  'The storage port: everything that outlives a process.',
  'Contract (the published conformance suite holds every sentence):',
  'Inside `work` only the given transaction is used, never `read` or another `transaction`.',
  'Lock order: markets by id, then accounts by id.',
  'May be called once.',
  'The caller judges the expiry.',
  'Lower case.',
  'All totals, in any order.',
  "Sum of the house's worst losses (b ln 2), micro-USD.",
  'For wallets, `treasury` and `external`; a pool is a field of its market.',
  'The caller has locked the market.',
  'One call has at most one candle for each bucket.',
  'Called by the holder of the lease `event-relay`.',
  'Events of one instant that were appended together may go, and stay, together.',
  'SHA-256 of the operation and its arguments.',
  'The answer, JSON.',
  "The caller has locked the wallet's account.",
  'The account, market, position, posting, candle or risk of the house concerned.',
  'Run inside `snapshot`.',
  'Made after `lockTotals` and `addTotals` in every transaction that makes both.',
  'Sums of what is stored, in micro-USD; `run` compares the single figures with the entries.',
  'Balances of all wallets, and what is reserved of them.',
  'Summed over the totals of markets that are not resolved.',
  'The markets themselves that are not resolved, counted by liquidity parameter, ascending.',
];

/** What no suite can see from outside. An adapter's author says that tests of the adapter's own hold them. */
export const PROVEN_ELSEWHERE = ['pageCost', 'walkCost'] as const;
