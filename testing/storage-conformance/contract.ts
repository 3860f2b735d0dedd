/**
 * The sentences of src/ports/storage, under the names that tests cite. A test compares this file with the port:
 * every sentence of the port is here, and a check cites every sentence of `SENTENCES`.
 */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  // The storage as a whole, and its transactions
  atomic:
    '`transaction` is atomic and isolated: it commits all of its writes or none, and other callers do not see them before; when `work` throws, it rolls back and rejects with the same error.',
  serial:
    'Two transactions that lock the same rows run one after the other, and the second sees what the first committed.',
  rerun:
    'A transaction that the database aborts because of concurrency is run again from the start, so `work` must have no effect besides its writes.',
  atOnce: 'Calls that do not depend on each other may be made at once, without waiting for the earlier ones.',
  reads:
    '`read` sees committed data only, which may change between its statements; `snapshot` sees one moment throughout.',
  kept: 'Every handle sees committed data at once, and the data are still there when the storage is opened again, after a `close` or a crash.',
  whole: 'Every field is read as it was written.',
  ownObjects: 'Callers and storage share no objects.',
  exact: 'Amounts of money and shares are exact over the whole range of a signed 64-bit integer.',
  ordered: 'Every list has the order that its comment states.',
  away: 'A storage whose database cannot be reached rejects with code SERVICE_UNAVAILABLE within 5 seconds.',
  unknownCommit: 'A commit whose outcome is unknown rejects with the same code.',

  auditLane:
    'An adapter with few connections gives the audit a connection of its own, so that no other call waits for the audit, and runs one audit at a time: a second audit waits for at most 5 seconds, then it is refused with SERVICE_UNAVAILABLE.',
  tradeLane:
    'An adapter with few connections keeps one of them for the batches, so that other work cannot delay a batch.',

  // A handle
  complete: 'A storage has every repository, and each has every method of its interface.',
  name: 'The name in logs: `memory`, `sqlite`, `postgres`, or a name of your own.',
  open: 'Connects and migrates.',
  closeWaits: 'Waits for the calls that are running, then releases the database.',
  closed: 'Later calls reject with SERVICE_UNAVAILABLE.',
  ping: 'Resolves when the storage can answer a query.',

  // Settings, challenges, keys, creators
  putIfAbsent: 'Stores `value` unless the name is taken, and returns the stored value.',
  put: 'Stores `value` under the name, and replaces a value that is there.',
  consume:
    'Removes and returns the challenge: only the first caller gets it, and later callers get `null`, as for an unknown nonce.',
  deleteExpired: 'Removes at most `limit` challenges that expired before the instant, and returns how many.',
  keysByHash: 'The keys with these hashes that are not revoked, in any order; unknown hashes are left out.',
  keysById: 'The list is in ascending order of id.',
  revoke:
    'Revokes an active key of this wallet and returns the key as it was before; `null` if the wallet has no such key.',
  revokeOnce: 'If several calls revoke a key at once, one of them succeeds.',
  updateKey: 'Changes an active key and returns it; `null` if there is no such key.',
  touch: 'Moves `lastUsedAt` forward, never back.',
  creatorList: 'Creators by their newest change, newest first (`updatedAt`, then address ascending).',
  held: 'Like `find`, and locks the row until the transaction ends.',
  heldById: 'Like `find`, by id, and locks the row until the transaction ends.',
  save: 'Inserts or replaces.',

  // Markets
  displayName: 'A market with the display name of its creator.',
  openStatus: '`open` leaves out markets whose resolve date has come; `resolving` includes them.',
  judgedByNow: 'The resolve date is compared with `now`.',
  unknownCategory: 'An unknown category matches no market.',
  ties: 'Markets of equal volume come newest id first, and markets of equal resolve dates come lowest id first.',
  unknownIds: 'The markets with these ids, in any order; unknown ids are left out.',
  words:
    'With `words`, only markets whose question has every word as the beginning of one of its terms (`searchTerms`).',
  listTotal: '`total` counts all matches.',
  pageCost: 'The cost depends on the page, not on the size of the table, because totals come from counters.',
  createdMarkets:
    "The creator's markets, newest id first; `total` and `fees` are the number and the sum of `creatorFees` of all of them.",
  nextId: 'A new id; gaps are allowed.',
  slugTaken: 'Returns `false` and writes nothing when the slug is taken.',
  insertTotals: 'Does not change the totals.',
  lockMarkets: 'Locks and returns the markets, ascending by id; unknown ids are left out.',
  updateMarket:
    'Writes every field except slug, question, description, criteria, category, creator, `createdAt` and `liquidityParameter`, which never change.',
  leaseMarkets:
    'Takes up to `limit` markets with `dueAt <= now` and this `awaitsOracle` that no other caller is taking at this moment, earliest first: sets `dueAt = leaseUntil`, raises `leaseToken`, and returns them with these changes.',
  totals: 'Waits for no lock: the changes of another transaction count once it has committed.',
  lockTotals: 'Like `totals`, and locks the totals until the transaction ends.',
  addTotals: 'Adds the changes to the totals; creates missing rows.',
  risksOf: 'The sums of `addRisk` for a creator, by liquidity parameter, ascending.',
  addRisk: 'Adds the change to the sums of `risksOf`; creates missing rows.',

  // Accounts and the ledger
  lockAccounts:
    'Creates missing accounts with balance 0, locks all accounts in ascending order of id, and returns them in that order.',
  apply: 'Adds one change to each account, and creates missing accounts.',
  overdraft: 'Rejects if the balance of a wallet would fall below zero, or below its reserved part.',
  posting:
    'The posting with its entries in the order in which they were written; `null` if no posting has this reference.',
  badPosting: 'Rejects a posting that does not sum to zero, and a reference that is taken.',

  // Positions, trades, candles
  openPositions: '`open` selects the positions that have shares.',
  positionOrder: 'The positions of the newest market come first (market id descending, YES before NO).',
  positionTotal: "`total` comes from the account's counters.",
  walk: 'At most `limit` open positions in the order of `list`, beginning after the given position, or with the first for `null`.',
  walkCost: 'The cost depends on the page, not on how many positions come before it.',
  findPositions: 'The existing positions of these wallets on these markets, on both sides.',
  savePositions: 'Inserts or replaces by (market, wallet, side).',
  unpaid: 'At most `limit` positions of a market that have shares and are not paid out, by wallet and side.',
  tradesOfMarket: "The market's trades, newest id first; settlements are left out.",
  tradesOfWallet: "The wallet's trades and settlements, newest id first.",
  tradeTotal: "`total` comes from the account's counter.",
  tradeIds: 'Returns the new ids in the order of the given trades, ascending.',
  secondSettlement: 'A second settlement of one (market, wallet, side) is rejected.',
  candleRange: 'The stored candles with from <= time < to, ascending; only the newest `limit` of them.',
  lastCandle: 'The newest candle that starts before the instant.',
  candleVolumes:
    'The volume of each market in the stored candles with time >= from, by market id; markets without such candles are left out.',
  mergeCandles:
    'Merges each candle into the stored one: keeps its open, widens high and low, replaces close, adds volume and trades.',

  // Events
  eventsAfter:
    'At most `limit` numbered facts with a greater `seq`, ascending; the list is empty only when there is no such fact.',
  eventHole:
    'If `deleteBefore` has removed facts in between, a page may be shorter than `limit` although more facts follow.',
  eventNumbering:
    'Which call gives facts their `seq`: `append`, or `sequence`, which the event relay calls after the commit (`relay`).',
  head: 'The highest `seq` of all facts; 0 when there is no fact.',
  sequence: 'Gives `seq` to committed facts that have none, without gaps, keeping the order of each market.',
  sequenceCount:
    'Returns how many facts it has numbered: fewer than `limit` when none is left, more when facts that were appended together are numbered together, and 0 when `append` numbers facts.',
  deleteEvents:
    'Removes numbered facts that were created before the instant, the oldest first, until `limit` are removed; the newest fact is never removed.',
  deleteUpTo: 'With `upTo`, only facts whose `seq` is at most `upTo` are removed.',
  deletedCount: 'Returns how many facts it has removed.',

  // Consumers
  consumerList: 'All consumers by name, ascending; `parked` counts their parked facts.',
  parkedList:
    'The parked facts of a consumer by `seq` and epoch, ascending; with `redo`, only those that are to be handled once more.',
  parkedTotal: '`total` counts all that match.',
  consumerTaken: 'Returns `false` and writes nothing when the name is taken.',
  updateConsumer: 'Writes every field except the name and `createdAt`; rejects when there is no such row.',
  removeConsumer: 'Removes the consumer with its parked facts.',
  removedConsumer: 'Returns whether there was one.',
  park: 'Inserts or replaces by (consumer, epoch, seq).',
  unpark: 'Removes the parked fact, and returns whether there was one.',

  // Idempotency, deposits, leases
  takenKey:
    'If (wallet, key) is taken, the transaction runs again from the start, as after a serialization failure, so that the next run finds the record.',
  deleteRecords:
    'Removes at most `limit` records that were created before the instant, and returns how many.',
  depositList: 'The deposits of a wallet, newest first (`createdAt`, then reference, both descending).',
  depositOnce:
    'Returns `false` and writes nothing when the reference is taken; if another transaction is writing this reference, `insert` waits until that transaction ends.',
  fundsAfter: 'Writes `balanceAfter` and `reservedAfter` of the deposit with this reference.',
  lease: 'Takes or renews the lease; returns `null` while another owner has it.',
  leaseToken: '`token` rises whenever the owner changes.',
  strayLease: 'A lease that ends more than five minutes after `now` was written by a wrong clock.',
  strayTaken: 'A caller takes that lease like a lease that has ended.',
  release: 'Ends the lease of this owner; the lease of another owner stays.',

  // Payments and withdrawals
  newestFirst: 'The newest rows come first (id descending).',
  claim:
    'Claims (asset, payer, nonce): returns `null` and writes nothing when it is taken; if another transaction is writing this claim, `insert` waits until that transaction ends.',
  paymentIds: 'Ids are unique; gaps are allowed.',
  updatePayment:
    'Writes every field except the key, `operation`, `fingerprint`, `amount` and `createdAt`; rejects when there is no such row.',
  giveBack: 'Removes the payment, so that its key can be claimed again.',
  leasePayments:
    'Takes up to `limit` payments with `dueAt <= now` that no other caller is taking at this moment, earliest first: sets `dueAt` and `leaseUntil` to `leaseUntil`, raises `leaseToken`, and returns them with these changes.',
  strayPayments:
    'A payment whose `dueAt` and `leaseUntil` lie more than five minutes after `now` was leased by a wrong clock.',
  strayPaymentsTaken: 'That payment is taken like a due one, after the payments that are due.',
  deleteRejected:
    'Removes at most `limit` rejected payments that were last changed before the instant and that no operator has decided on, and returns how many.',
  withdrawalTotal: '`total` is the `walletSeq` of the newest withdrawal.',
  openWithdrawals: 'At most `limit` pending and sent withdrawals with a greater id, ascending.',
  openOfStatus: 'With a `status`, the list has only withdrawals of that status.',
  countOpen: 'How many pending and sent withdrawals the wallet has.',
  withdrawalIds:
    'Gives the withdrawal a higher id than all earlier withdrawals of the wallet, and the next `walletSeq`.',
  updateWithdrawal:
    'Writes `status`, `payoutState`, `transaction`, `reason` and `updatedAt`; rejects when there is no such row.',

  // Rounds of the oracle
  resolutionList:
    'The resolutions that are not done, by market id ascending; with a `status`, only resolutions of that status.',
  resolutionTotal: '`total` counts all matching resolutions.',
  rounds: 'The newest `limit` rounds of a market, ascending.',
  spentSince:
    'The sums of `calls` and `costMicros` over the rounds of all markets with `startedAt` at or after the instant.',
  saveResolution: 'Inserts or replaces by market id.',
  insertRound: 'Rejects a (market, round) that exists.',
  updateRound:
    'Writes every field except the market and the number of the round; rejects when there is no such row.',
  deleteRounds: 'Removes the rounds of a market up to this number whose votes had one of these findings.',

  // Webhooks
  webhookTotal: '`total` counts all webhooks.',
  deliveryTotal: '`total` counts the deliveries of this webhook that are kept.',
  webhookIds: 'Gives the webhook an id that no webhook has had before, not even a removed one.',
  updateWebhook: 'Writes every field except `createdAt`; rejects when there is no such row.',
  deleteWebhook: 'Removes the webhook with its deliveries.',
  deleteUnknown: 'Returns `false` when there is no such row.',
  addDeliveries:
    'Adds deliveries in the order given, then removes all but the newest `keep` of this webhook.',

  // The operators' log
  actList:
    'The newest acts come first (id descending); with an `action`, only acts of that action, and so on.',
  actFilter: 'An act is listed if it has all the values that are given, and if `since <= at < until`.',
  actIds: 'Gives the act a higher id than all acts that were committed before.',

  // Audit
  audit: 'Recomputes the books from entries, trades and withdrawals.',
  auditAccounts:
    "`account`: the balance of an account is the sum of its entries, and its reserved part is the sum of the wallet's open withdrawals (subject `<account> reserved`).",
  auditPools: '`pool`: the pool of a market is the sum of its entries.',
  auditPostings:
    '`posting`: the entries of a posting sum to zero; each deposit and each confirmed withdrawal has its posting over the same amount, and each posting of a deposit or a withdrawal has its own record (subjects `deposit:<reference>` and `withdrawal:<id>`); such a posting moves the whole amount on the account of its record (subjects `deposit:<reference> <account>` and `withdrawal:<id> <account>`).',
  auditPositions: '`position`: a position is what its trades add up to.',
  auditMarkets:
    '`market`: until a market is resolved, its outstanding shares are the shares of its positions.',
  auditCounters:
    "`counter`: the counters of trades and positions agree with the rows, and a market's `creatorFees` are the sum of the fees of its trades (subject `market:<id> creatorFees`).",
  auditCandles:
    "`candle`: each candle has the volume, the number and the last price of its trades (subject `market:<id> candle <length in ms> <start> <figure>`), and the newest candle of each length closes at the price of the market's newest trade (subject `market:<id> candle <length in ms> newest`).",
  auditHouse:
    "`house`: the risks of the house (`risksOf`) are the creator's markets that are not resolved, and what resolution postings took from the treasury (subjects `house:<creator>:<liquidity parameter> unresolved` and `house:<creator>:<liquidity parameter> lost`).",
  auditLimit: 'At most 100 differences.',
  house:
    'Adds up the stored balances of all wallets, the pools of all markets and the exposure of the markets that are not resolved, and counts all markets.',
} as const;

export type StorageSentence = keyof typeof SENTENCES;

export const STORAGE_CONTRACT: Contract<StorageSentence> = {
  port: 'Storage',
  where: 'docs/storage-adapters.md, and the comments of src/ports/storage/',
  sentences: SENTENCES,
};

/** Sentences of the port that the suite does not check. */
export const STORAGE_EXPLANATIONS: readonly string[] = [
  'Runs `work` and commits its writes.',
  '`audit`: the snapshot reads everything and may take minutes.',
  '`trades`: the transaction executes a batch of orders.',
  'A process runs one such transaction at a time.',
  'The storage port: everything that outlives a process.',
  'Each kind of difference has its own checks:',
  'Contract (the published conformance suite checks it sentence by sentence):',
  'Inside `work` only the given transaction is used, never `read` or another `transaction`.',
  'Lock order: markets by id, then accounts by id.',
  'May be called once.',
  'The caller checks the expiry.',
  'A category in lower case.',
  'There is at least one word, and each is a term.',
  'The totals of all statuses and categories, in any order.',
  "The sum of the house's worst losses (b ln 2), in micro-USD.",
  'The ids are those of wallets, `treasury` and `external`; a pool is a field of its market.',
  'The caller has locked the market.',
  'One call has at most one candle for each market, length and start.',
  'Only the owner of the lease `event-relay` calls it.',
  'An adapter may treat facts of one instant that were appended together as one: it removes all of them, even beyond `limit`, or keeps all.',
  'The SHA-256 of the operation and its arguments.',
  'The answer as JSON.',
  "The caller has locked the wallet's account.",
  'The account, market, position, posting, candle or risk of the house that differs.',
  'The caller runs it inside `snapshot`.',
  'A transaction that also changes totals calls `addRisk` after `lockTotals` and `addTotals`.',
  'The sums of stored figures, in micro-USD; `run` compares the single figures with the entries.',
  'The sum of the balances of all wallets, and the sum of their reserved parts.',
  'The sum of `exposure` over the totals of markets that are not resolved.',
  'The number of markets, by status, category and liquidity parameter, in any order.',
];

/**
 * Sentences that no suite can check from outside. An adapter's author declares that the adapter's own tests
 * check them.
 */
export const PROVEN_ELSEWHERE = ['pageCost', 'walkCost'] as const;
