/** Calls of the operators' routes. */
import type { Call, CallExtras } from './call';
import type { MarketReference } from './markets';
import type { Body, Query } from './operations';
import type { CallOptions } from './options';
import { newestFirst, rowsOf, type AllQuery } from './pages';

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
    get: (address: string, options?: CallOptions) =>
      call('get', '/admin/accounts/{address}', { path: { address } }, options),
    /** Credits a wallet. Each `reference` is credited once, also if the call is repeated. */
    deposit: (address: string, body: DepositBody, options?: CallOptions) =>
      call('post', '/admin/accounts/{address}/deposits', { path: { address }, body }, options, CREDITED_ONCE),
  };
}

function treasury(call: Call) {
  return {
    /** The balance of the house, and the sum of the worst losses of all markets that are not resolved. */
    get: (options?: CallOptions) => call('get', '/admin/treasury', {}, options),
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
    update: (id: number, body: Body<'/admin/keys/{id}', 'patch'>, options?: CallOptions) =>
      call('patch', '/admin/keys/{id}', { path: { id }, body }, options),
    /** Revokes a key without a signature of its wallet. */
    revoke: (id: number, options?: CallOptions) =>
      call('delete', '/admin/keys/{id}', { path: { id } }, options),
  };
}

function creators(call: Call) {
  const list = (query?: Query<'/admin/creators'>, options?: CallOptions) =>
    call('get', '/admin/creators', { query }, options);
  return {
    /** A page of creators and applications, the newest change first. */
    list,
    /** All creators and applications that the query matches, page by page. */
    all: (query?: AllQuery<Query<'/admin/creators'>>, options?: CallOptions) =>
      rowsOf(
        async (page) => (await list({ ...query, ...page }, options)).creators,
        ({ address }) => address,
      ),
    /** Lets a wallet create markets. The wallet need not have applied. */
    approve: (address: string, options?: CallOptions) =>
      call('post', '/admin/creators/{address}/approve', { path: { address } }, options),
    /** Rejects an application. The wallet can read the reason. */
    reject: (address: string, reason: string, options?: CallOptions) =>
      call('post', '/admin/creators/{address}/reject', { path: { address }, body: { reason } }, options),
    /** Stops a wallet from creating further markets. Only operators can read the reason. */
    suspend: (address: string, reason: string, options?: CallOptions) =>
      call('post', '/admin/creators/{address}/suspend', { path: { address }, body: { reason } }, options),
  };
}

function markets(call: Call) {
  const list = (query?: Query<'/admin/markets'>, options?: CallOptions) =>
    call('get', '/admin/markets', { query }, options);
  return {
    /** Markets with the state of their resolution, earliest resolve date first. */
    list,
    /** All markets that the query matches, page by page. */
    all: (query?: AllQuery<Query<'/admin/markets'>>, options?: CallOptions) =>
      rowsOf(
        async (page) => (await list({ ...query, ...page }, options)).markets,
        ({ id }) => id,
      ),
    /** Ends trading now and hands the market to the oracle. */
    close: (id: MarketReference, options?: CallOptions) =>
      call('post', '/admin/markets/{id}/close', { path: { id } }, options),
    /** Resolves a market. An open market is closed first. */
    resolve: (id: MarketReference, body: Body<'/admin/markets/{id}/resolve'>, options?: CallOptions) =>
      call('post', '/admin/markets/{id}/resolve', { path: { id }, body }, options),
    /** The rounds of the oracle with their votes and costs. */
    resolution: (id: MarketReference, options?: CallOptions) =>
      call('get', '/admin/markets/{id}/resolution', { path: { id } }, options),
    /** Asks the voters of an escalated market again. */
    retryResolution: (id: MarketReference, options?: CallOptions) =>
      call('post', '/admin/markets/{id}/resolution/retry', { path: { id } }, options),
  };
}

function resolutions(call: Call) {
  const list = (query?: Query<'/admin/resolutions'>, options?: CallOptions) =>
    call('get', '/admin/resolutions', { query }, options);
  return {
    /** A page of the closed, unresolved markets with the state of their resolution, lowest id first. */
    list,
    /** All closed, unresolved markets that the query matches, page by page. */
    all: (query?: AllQuery<Query<'/admin/resolutions'>>, options?: CallOptions) =>
      rowsOf(
        async (page) => (await list({ ...query, ...page }, options)).resolutions,
        ({ marketId }) => marketId,
      ),
  };
}

function log(call: Call) {
  const list = (query?: Query<'/admin/log'>, options?: CallOptions) =>
    call('get', '/admin/log', { query }, options);
  return {
    /** What operators have changed, newest first. */
    list,
    /** All acts that the query matches, newest first, page by page. */
    all: (query?: AllQuery<Query<'/admin/log'>>, options?: CallOptions) =>
      newestFirst(async (page) => (await list({ ...query, ...page }, options)).acts),
  };
}

function payments(call: Call) {
  type Decision = Body<'/admin/payments/{id}/confirm'>;
  const list = (query?: Query<'/admin/payments'>, options?: CallOptions) =>
    call('get', '/admin/payments', { query }, options);
  return {
    /** A page of payments, newest first. */
    list,
    /** All payments that the query matches, newest first, page by page. */
    all: (query?: AllQuery<Query<'/admin/payments'>>, options?: CallOptions) =>
      newestFirst(async (page) => (await list({ ...query, ...page }, options)).payments),
    /** Decides that the payer was charged, for a settlement that the facilitator cannot look up. */
    confirm: (id: number, body: Decision, options?: CallOptions) =>
      call('post', '/admin/payments/{id}/confirm', { path: { id }, body }, options),
    /**
     * Decides that the payer was not charged and never will be, for a settlement that the facilitator cannot
     * look up.
     */
    reject: (id: number, body: Decision, options?: CallOptions) =>
      call('post', '/admin/payments/{id}/reject', { path: { id }, body }, options),
  };
}

function withdrawals(call: Call) {
  return {
    /** Pending and sent withdrawals of all wallets, oldest first. For the next page, give the last id as `after`. */
    list: (query?: Query<'/admin/withdrawals'>, options?: CallOptions) =>
      call('get', '/admin/withdrawals', { query }, options),
    /** Decides that this transaction paid a sent withdrawal. */
    confirm: (id: number, transaction: string, options?: CallOptions) =>
      call('post', '/admin/withdrawals/{id}/confirm', { path: { id }, body: { transaction } }, options),
    /** Decides that the wallet was never paid and never will be. docs/money-in-and-out.md says when that is safe. */
    fail: (id: number, reason: string, options?: CallOptions) =>
      call('post', '/admin/withdrawals/{id}/fail', { path: { id }, body: { reason } }, options),
  };
}

function webhooks(call: Call) {
  const list = (query?: Query<'/admin/webhooks'>, options?: CallOptions) =>
    call('get', '/admin/webhooks', { query }, options);
  return {
    /** A page of webhooks by id, without their secrets. */
    list,
    /** All webhooks by id, page by page. */
    all: (options?: CallOptions) =>
      rowsOf(
        async (page) => (await list(page, options)).webhooks,
        ({ id }) => id,
      ),
    /** Creates a webhook. The answer shows the secret that signs the messages. Later answers do not show it. */
    create: (body: Body<'/admin/webhooks'>, options?: CallOptions) =>
      call('post', '/admin/webhooks', { body }, options),
    /** Removes a webhook with its deliveries. */
    remove: (id: number, options?: CallOptions) =>
      call('delete', '/admin/webhooks/{id}', { path: { id } }, options),
    /** Enables a webhook that was disabled after failures. The webhook continues from its position. */
    enable: (id: number, options?: CallOptions) =>
      call('post', '/admin/webhooks/{id}/enable', { path: { id } }, options),
    /** Moves the webhook to the fact with this `seq`. The webhook continues with this fact. */
    replay: (id: number, seq: number, options?: CallOptions) =>
      call('post', '/admin/webhooks/{id}/replay', { path: { id }, body: { seq } }, options),
    /** Makes another secret and shows it once. The older secrets sign too for `overlapSeconds`, by default a day. */
    rotate: (id: number, body: Body<'/admin/webhooks/{id}/rotate'> = {}, options?: CallOptions) =>
      call('post', '/admin/webhooks/{id}/rotate', { path: { id }, body }, options),
    /** A page of the attempts to deliver facts to the webhook, newest first. */
    deliveries: (id: number, query?: Query<'/admin/webhooks/{id}/deliveries'>, options?: CallOptions) =>
      call('get', '/admin/webhooks/{id}/deliveries', { path: { id }, query }, options),
  };
}

function consumers(call: Call) {
  return {
    /** All consumers by name, with position, owner and failures. */
    list: (options?: CallOptions) => call('get', '/admin/consumers', {}, options),
    /** Removes a consumer that no instance works on. */
    remove: (name: string, options?: CallOptions) =>
      call('delete', '/admin/consumers/{name}', { path: { name } }, options),
    /**
     * Moves a consumer to the fact with this `seq`. With `from`, moves the consumer to the oldest stored fact
     * (`oldest`) or to the first new fact (`now`).
     */
    resume: (name: string, body: Body<'/admin/consumers/{name}/resume'>, options?: CallOptions) =>
      call('post', '/admin/consumers/{name}/resume', { path: { name }, body }, options),
    /** A page of the parked facts of a consumer, on which its handler failed too often. */
    parked: (name: string, query?: Query<'/admin/consumers/{name}/parked'>, options?: CallOptions) =>
      call('get', '/admin/consumers/{name}/parked', { path: { name }, query }, options),
    /** Lets the handler try one parked fact, or all of them, once more. */
    redo: (name: string, body: Body<'/admin/consumers/{name}/redo'> = {}, options?: CallOptions) =>
      call('post', '/admin/consumers/{name}/redo', { path: { name }, body }, options),
    /** Removes a parked fact, so that the handler does not get it again. */
    skip: (name: string, fact: string, options?: CallOptions) =>
      call('post', '/admin/consumers/{name}/skip', { path: { name }, body: { fact } }, options),
  };
}
