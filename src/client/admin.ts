/** Calls of the operators' routes. */
import { asking, listing, naming, reading } from './calls-of-paths';
import type { Call, CallExtras } from './call';
import type { Body } from './operations';
import type { CallOptions } from './options';
import { byId, distinct, newestFirst, rowsOf } from './pages';

export type Admin = ReturnType<typeof adminOf>;
export type DepositBody = Body<'/admin/treasury/deposits'>;

const AUDIT_LIMITS = { timeoutMs: 600_000, totalMs: 600_000 };

export function adminOf(call: Call) {
  return {
    /** The right of wallets to create markets. */
    creators: creators(call),
    /** The money of wallets. */
    accounts: accounts(call),
    /** The money of the house. */
    treasury: treasury(call),
    /** Markets, and their resolution by an operator. */
    markets: markets(call),
    /** Markets that are closed and not resolved. */
    resolutions: resolutions(call),
    /** Payments of the pay-per-request API. */
    payments: payments(call),
    /** Withdrawals that are pending or sent. */
    withdrawals: withdrawals(call),
    /** Webhooks, which receive facts over HTTP. */
    webhooks: webhooks(call),
    /** Functions of the host that handle facts in the processes of the service. */
    consumers: consumers(call),
    /** API keys of wallets. */
    keys: keys(call),
    /** What operators have changed. */
    log: log(call),
    /** The alarms of the instance that answers. Other instances may have others. */
    alarms: reading(call, '/admin/alarms'),
    /** Recomputes the books, which may take minutes. By default the call waits up to ten minutes. */
    audit: (options?: CallOptions) => call('get', '/admin/audit', {}, options, { limits: AUDIT_LIMITS }),
  };
}

/**
 * The service credits a reference once, so the client may send a deposit again. An earlier call may have credited the
 * same reference.
 */
const CREDITED_ONCE: CallExtras = {
  repeatable: 'keyed',
  mayHaveBeenSent: true,
};

function accounts(call: Call) {
  return {
    /** The balance of a wallet, and how much of it is reserved. */
    get: naming(call, 'get', '/admin/accounts/{address}'),
    /** The deposits of a wallet with their references, newest first. */
    deposits: asking(call, 'get', '/admin/accounts/{address}/deposits'),
    /** A page of the withdrawals of a wallet, newest first. A failed withdrawal has its reason. */
    withdrawals: asking(call, 'get', '/admin/accounts/{address}/withdrawals'),
    /**
     * A page of what has changed the balance of a wallet, newest first, without the fees that the wallet earns as a
     * creator. For the next page, give `next` as `after`.
     */
    postings: asking(call, 'get', '/admin/accounts/{address}/postings'),
    /** Credits a wallet. Each `reference` is credited once, also if the call is repeated. */
    deposit: (address: string, body: DepositBody, options?: CallOptions) =>
      call('post', '/admin/accounts/{address}/deposits', { path: { address }, body }, options, CREDITED_ONCE),
  };
}

function treasury(call: Call) {
  return {
    /** The balance of the house, its exposure, the limit of the exposure, and whether the house is solvent. */
    get: reading(call, '/admin/treasury'),
    /** Credits the house. Each `reference` is credited once, also if the call is repeated. */
    deposit: (body: DepositBody, options?: CallOptions) =>
      call('post', '/admin/treasury/deposits', { body }, options, CREDITED_ONCE),
  };
}

function keys(call: Call) {
  return {
    /** The active keys of a wallet, without the raw keys. */
    list: async (address: string, options?: CallOptions) =>
      (await call('get', '/admin/accounts/{address}/keys', { path: { address } }, options)).keys,
    /** Changes the rate limit or the scopes of an active key. */
    update: asking(call, 'patch', '/admin/keys/{id}'),
    /** Revokes a key without a signature of its wallet. */
    revoke: naming(call, 'delete', '/admin/keys/{id}'),
  };
}

function creators(call: Call) {
  const list = listing(call, '/admin/creators');
  return {
    /** A page of creators and applications, the newest change first. */
    list,
    /** All creators and applications that the query matches, page by page. */
    all: rowsOf(
      list,
      'creators',
      distinct(({ address }) => address),
    ),
    /** Lets a wallet create markets. The wallet need not have applied. */
    approve: naming(call, 'post', '/admin/creators/{address}/approve'),
    /** Rejects an application. The wallet can read the reason. */
    reject: asking(call, 'post', '/admin/creators/{address}/reject', 'reason'),
    /** Stops a wallet from creating further markets. Only operators can read the reason. */
    suspend: asking(call, 'post', '/admin/creators/{address}/suspend', 'reason'),
  };
}

function markets(call: Call) {
  const list = listing(call, '/admin/markets');
  return {
    /** A page of markets with the state of their resolution, by default the earliest resolve date first. */
    list,
    /** All markets that the query matches, page by page. */
    all: rowsOf(list, 'markets', byId),
    /** Ends trading now and hands the market to the oracle. */
    close: naming(call, 'post', '/admin/markets/{id}/close'),
    /** Resolves a market. An open market is closed first. */
    resolve: asking(call, 'post', '/admin/markets/{id}/resolve'),
    /** The rounds of the oracle with their votes and costs. */
    resolution: naming(call, 'get', '/admin/markets/{id}/resolution'),
    /** Asks the voters of an escalated market again. */
    retryResolution: naming(call, 'post', '/admin/markets/{id}/resolution/retry'),
  };
}

function resolutions(call: Call) {
  const list = listing(call, '/admin/resolutions');
  return {
    /** A page of the closed, unresolved markets with the state of their resolution, lowest id first. */
    list,
    /** All closed, unresolved markets that the query matches, page by page. */
    all: rowsOf(
      list,
      'resolutions',
      distinct(({ marketId }) => marketId),
    ),
  };
}

function log(call: Call) {
  const list = listing(call, '/admin/log');
  return {
    /** What operators have changed, newest first. */
    list,
    /** All acts that the query matches, newest first, page by page. */
    all: rowsOf(list, 'acts', newestFirst),
  };
}

function payments(call: Call) {
  const list = listing(call, '/admin/payments');
  return {
    /** A page of payments, newest first. */
    list,
    /** All payments that the query matches, newest first, page by page. */
    all: rowsOf(list, 'payments', newestFirst),
    /** Decides that the payer was charged, for a settlement that the facilitator cannot look up. */
    confirm: asking(call, 'post', '/admin/payments/{id}/confirm'),
    /**
     * Decides that the payer was not charged and never will be, for a settlement that the facilitator cannot
     * look up.
     */
    reject: asking(call, 'post', '/admin/payments/{id}/reject'),
  };
}

function withdrawals(call: Call) {
  return {
    /** Pending and sent withdrawals of all wallets, oldest first. For the next page, give the last id as `after`. */
    list: listing(call, '/admin/withdrawals'),
    /** Decides that this transaction paid a sent withdrawal. */
    confirm: asking(call, 'post', '/admin/withdrawals/{id}/confirm', 'transaction'),
    /** Decides that the wallet was never paid and never will be. docs/money-in-and-out.md says when that is safe. */
    fail: asking(call, 'post', '/admin/withdrawals/{id}/fail', 'reason'),
  };
}

function webhooks(call: Call) {
  const list = listing(call, '/admin/webhooks');
  return {
    /** A page of webhooks by id, without their secrets. */
    list,
    /** All webhooks by id, page by page. */
    all: (options?: CallOptions) => rowsOf(list, 'webhooks', byId)({}, options),
    /** Creates a webhook. The answer shows the secret that signs the messages. Later answers do not show it. */
    create: (body: Body<'/admin/webhooks'>, options?: CallOptions) =>
      call('post', '/admin/webhooks', { body }, options),
    /** Removes a webhook with its deliveries. */
    remove: naming(call, 'delete', '/admin/webhooks/{id}'),
    /** Enables a webhook that was disabled after failures. The webhook continues from its position. */
    enable: naming(call, 'post', '/admin/webhooks/{id}/enable'),
    /** Moves the webhook to the fact with this `seq`. The webhook continues with this fact. */
    replay: asking(call, 'post', '/admin/webhooks/{id}/replay', 'seq'),
    /** Makes another secret and shows it once. The older secrets sign too for `overlapSeconds`, by default a day. */
    rotate: asking(call, 'post', '/admin/webhooks/{id}/rotate'),
    /** A page of the attempts to deliver facts to the webhook, newest first. */
    deliveries: asking(call, 'get', '/admin/webhooks/{id}/deliveries'),
  };
}

function consumers(call: Call) {
  return {
    /** All consumers by name, with position, owner and failures. */
    list: reading(call, '/admin/consumers'),
    /** Removes a consumer that no instance works on. */
    remove: naming(call, 'delete', '/admin/consumers/{name}'),
    /**
     * Moves a consumer to the fact with this `seq`. With `from`, moves the consumer to the oldest stored fact
     * (`oldest`) or to the first new fact (`now`).
     */
    resume: asking(call, 'post', '/admin/consumers/{name}/resume'),
    /** A page of the parked facts of a consumer, on which its handler failed too often. */
    parked: asking(call, 'get', '/admin/consumers/{name}/parked'),
    /** Lets the handler try one parked fact, or all of them, once more. */
    redo: asking(call, 'post', '/admin/consumers/{name}/redo'),
    /** Removes a parked fact, so that the handler does not get it again. */
    skip: asking(call, 'post', '/admin/consumers/{name}/skip', 'fact'),
  };
}
