/** The operators' routes. Their types follow from the calls. */
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
    creators: creators(call),
    accounts: accounts(call),
    treasury: treasury(call),
    markets: markets(call),
    resolutions: resolutions(call),
    payments: payments(call),
    withdrawals: withdrawals(call),
    webhooks: webhooks(call),
    consumers: consumers(call),
    keys: keys(call),
    log: log(call),
    /** Recomputes the books. It may take minutes; the call waits ten unless it is told otherwise. */
    audit: (options?: CallOptions) => call('get', '/admin/audit', {}, { options, limits: AUDIT_LIMITS }),
  };
}

/**
 * A reference is credited once, so a deposit whose answer was lost is sent again. An earlier deposit may have
 * carried the reference, and may have been credited.
 */
const creditedOnce = (options?: CallOptions): CallExtras => ({
  options,
  repeatable: 'keyed',
  mayHaveBeenSent: true,
});

function accounts(call: Call) {
  return {
    get: (address: string, options?: CallOptions) =>
      call('get', '/admin/accounts/{address}', { path: { address } }, { options }),
    deposit: (address: string, body: DepositBody, options?: CallOptions) =>
      call('post', '/admin/accounts/{address}/deposits', { path: { address }, body }, creditedOnce(options)),
  };
}

function treasury(call: Call) {
  return {
    get: (options?: CallOptions) => call('get', '/admin/treasury', {}, { options }),
    deposit: (body: DepositBody, options?: CallOptions) =>
      call('post', '/admin/treasury/deposits', { body }, creditedOnce(options)),
  };
}

function keys(call: Call) {
  return {
    /** The active keys of a wallet, without the raw keys. */
    list: async (address: string, options?: CallOptions) =>
      (await call('get', '/admin/accounts/{address}/keys', { path: { address } }, { options })).keys,
    update: (id: number, body: Body<'/admin/keys/{id}', 'patch'>, options?: CallOptions) =>
      call('patch', '/admin/keys/{id}', { path: { id }, body }, { options }),
    /** Revokes a key without a signature of its wallet. */
    revoke: (id: number, options?: CallOptions) =>
      call('delete', '/admin/keys/{id}', { path: { id } }, { options }),
  };
}

function creators(call: Call) {
  const list = (query?: Query<'/admin/creators'>, options?: CallOptions) =>
    call('get', '/admin/creators', { query }, { options });
  return {
    list,
    all: (query?: AllQuery<Query<'/admin/creators'>>, options?: CallOptions) =>
      rowsOf(
        async (page) => (await list({ ...query, ...page }, options)).creators,
        ({ address }) => address,
      ),
    approve: (address: string, options?: CallOptions) =>
      call('post', '/admin/creators/{address}/approve', { path: { address } }, { options }),
    reject: (address: string, reason: string, options?: CallOptions) =>
      call('post', '/admin/creators/{address}/reject', { path: { address }, body: { reason } }, { options }),
    suspend: (address: string, reason: string, options?: CallOptions) =>
      call('post', '/admin/creators/{address}/suspend', { path: { address }, body: { reason } }, { options }),
  };
}

function markets(call: Call) {
  const list = (query?: Query<'/admin/markets'>, options?: CallOptions) =>
    call('get', '/admin/markets', { query }, { options });
  return {
    /** Markets with the state of their resolution, earliest resolve date first. */
    list,
    all: (query?: AllQuery<Query<'/admin/markets'>>, options?: CallOptions) =>
      rowsOf(
        async (page) => (await list({ ...query, ...page }, options)).markets,
        ({ id }) => id,
      ),
    /** Ends trading now and hands the market to the oracle. */
    close: (id: MarketReference, options?: CallOptions) =>
      call('post', '/admin/markets/{id}/close', { path: { id } }, { options }),
    resolve: (id: MarketReference, body: Body<'/admin/markets/{id}/resolve'>, options?: CallOptions) =>
      call('post', '/admin/markets/{id}/resolve', { path: { id }, body }, { options }),
    /** The rounds of the oracle with their votes and costs. */
    resolution: (id: MarketReference, options?: CallOptions) =>
      call('get', '/admin/markets/{id}/resolution', { path: { id } }, { options }),
    /** Has the voters of an escalated market asked anew. */
    retryResolution: (id: MarketReference, options?: CallOptions) =>
      call('post', '/admin/markets/{id}/resolution/retry', { path: { id } }, { options }),
  };
}

function resolutions(call: Call) {
  const list = (query?: Query<'/admin/resolutions'>, options?: CallOptions) =>
    call('get', '/admin/resolutions', { query }, { options });
  return {
    list,
    all: (query?: AllQuery<Query<'/admin/resolutions'>>, options?: CallOptions) =>
      rowsOf(
        async (page) => (await list({ ...query, ...page }, options)).resolutions,
        ({ marketId }) => marketId,
      ),
  };
}

function log(call: Call) {
  const list = (query?: Query<'/admin/log'>, options?: CallOptions) =>
    call('get', '/admin/log', { query }, { options });
  return {
    /** What operators have changed, newest first. */
    list,
    all: (query?: AllQuery<Query<'/admin/log'>>, options?: CallOptions) =>
      newestFirst(async (page) => (await list({ ...query, ...page }, options)).acts),
  };
}

function payments(call: Call) {
  type Decision = Body<'/admin/payments/{id}/confirm'>;
  const list = (query?: Query<'/admin/payments'>, options?: CallOptions) =>
    call('get', '/admin/payments', { query }, { options });
  return {
    list,
    all: (query?: AllQuery<Query<'/admin/payments'>>, options?: CallOptions) =>
      newestFirst(async (page) => (await list({ ...query, ...page }, options)).payments),
    confirm: (id: number, body: Decision, options?: CallOptions) =>
      call('post', '/admin/payments/{id}/confirm', { path: { id }, body }, { options }),
    reject: (id: number, body: Decision, options?: CallOptions) =>
      call('post', '/admin/payments/{id}/reject', { path: { id }, body }, { options }),
  };
}

function withdrawals(call: Call) {
  return {
    /** Pending and sent withdrawals of all wallets, oldest first. The next page is `after` the last id. */
    list: (query?: Query<'/admin/withdrawals'>, options?: CallOptions) =>
      call('get', '/admin/withdrawals', { query }, { options }),
    confirm: (id: number, transaction: string, options?: CallOptions) =>
      call('post', '/admin/withdrawals/{id}/confirm', { path: { id }, body: { transaction } }, { options }),
    fail: (id: number, reason: string, options?: CallOptions) =>
      call('post', '/admin/withdrawals/{id}/fail', { path: { id }, body: { reason } }, { options }),
  };
}

function webhooks(call: Call) {
  const list = (query?: Query<'/admin/webhooks'>, options?: CallOptions) =>
    call('get', '/admin/webhooks', { query }, { options });
  return {
    list,
    all: (options?: CallOptions) =>
      rowsOf(
        async (page) => (await list(page, options)).webhooks,
        ({ id }) => id,
      ),
    /** The answer shows the secret that signs, this once. */
    create: (body: Body<'/admin/webhooks'>, options?: CallOptions) =>
      call('post', '/admin/webhooks', { body }, { options }),
    remove: (id: number, options?: CallOptions) =>
      call('delete', '/admin/webhooks/{id}', { path: { id } }, { options }),
    enable: (id: number, options?: CallOptions) =>
      call('post', '/admin/webhooks/{id}/enable', { path: { id } }, { options }),
    replay: (id: number, seq: number, options?: CallOptions) =>
      call('post', '/admin/webhooks/{id}/replay', { path: { id }, body: { seq } }, { options }),
    rotate: (id: number, body: Body<'/admin/webhooks/{id}/rotate'> = {}, options?: CallOptions) =>
      call('post', '/admin/webhooks/{id}/rotate', { path: { id }, body }, { options }),
    deliveries: (id: number, query?: Query<'/admin/webhooks/{id}/deliveries'>, options?: CallOptions) =>
      call('get', '/admin/webhooks/{id}/deliveries', { path: { id }, query }, { options }),
  };
}

function consumers(call: Call) {
  return {
    list: (options?: CallOptions) => call('get', '/admin/consumers', {}, { options }),
    remove: (name: string, options?: CallOptions) =>
      call('delete', '/admin/consumers/{name}', { path: { name } }, { options }),
    resume: (name: string, body: Body<'/admin/consumers/{name}/resume'>, options?: CallOptions) =>
      call('post', '/admin/consumers/{name}/resume', { path: { name }, body }, { options }),
    parked: (name: string, query?: Query<'/admin/consumers/{name}/parked'>, options?: CallOptions) =>
      call('get', '/admin/consumers/{name}/parked', { path: { name }, query }, { options }),
    redo: (name: string, body: Body<'/admin/consumers/{name}/redo'> = {}, options?: CallOptions) =>
      call('post', '/admin/consumers/{name}/redo', { path: { name }, body }, { options }),
    skip: (name: string, fact: string, options?: CallOptions) =>
      call('post', '/admin/consumers/{name}/skip', { path: { name }, body: { fact } }, { options }),
  };
}
