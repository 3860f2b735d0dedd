/**
 * The operators' routes, except those in consumers.ts and webhooks.ts. These routes have no authentication of
 * their own: the host decides who may use them.
 */
import type { CreatorVerdict } from '../../domain/creator';
import {
  depositBody,
  decideCreatorBody,
  listCreatorsQuery,
  listMarketsAsOperatorQuery,
  listOperatorLogQuery,
  listResolutionsQuery,
  resolveBody,
  updateKeyBody,
} from '../../schemas/admin';
import { audit } from '../../usecases/accounts/audit';
import { closeMarket } from '../../usecases/markets/close-market';
import { deposit, depositToTreasury } from '../../usecases/accounts/deposit';
import { getAccount } from '../../usecases/accounts/get-account';
import { getTreasury } from '../../usecases/accounts/get-treasury';
import { decideCreator } from '../../usecases/creators/decide-creator';
import { listCreators } from '../../usecases/creators/list-creators';
import { getResolutionEvidence } from '../../usecases/resolution/get-resolution';
import { listOperatorLog } from '../../usecases/operators/list-operator-log';
import { listMarketsAsOperator } from '../../usecases/resolution/list-markets-as-operator';
import { listResolutions } from '../../usecases/resolution/list-resolutions';
import { resolveMarket } from '../../usecases/resolution/resolve-market';
import { retryResolution } from '../../usecases/resolution/retry-resolution';
import { listKeys } from '../../usecases/keys/list-keys';
import { revokeKeyAsOperator } from '../../usecases/keys/revoke-key';
import { updateKey } from '../../usecases/keys/update-key';
import { alarmListView } from '../../views/alarm';
import { defineRoute, type Route } from '../route';
import { adminPaymentRoutes } from './admin-payments';
import { addressParameter, marketParameter, requiredKeyIdParameter } from './parameters';
import { walletRoutes } from './admin-wallets';

const REFERENCES =
  'A reference is credited once, over all wallets and the treasury: a repetition answers as the first time.';

export function adminRoutes(): Route[] {
  return [
    ...creatorRoutes(),
    ...accountRoutes(),
    ...walletRoutes(),
    ...treasuryRoutes(),
    ...marketRoutes(),
    ...resolutionRoutes(),
    ...keyRoutes(),
    ...adminPaymentRoutes(),
    logRoute(),
    auditRoute(),
    alarmsRoute(),
  ];
}

function creatorRoutes(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/creators',
      summary: 'Creators and applications, newest change first',
      group: 'admin',
      query: listCreatorsQuery,
      success: { status: 200, view: 'CreatorList' },
      errors: [],
      handler: ({ context, query }) => listCreators(context, query),
    }),
    decisionRoute('approve', 'approved', 'Approve a creator, who need not have applied'),
    decisionRoute('reject', 'rejected', 'Reject a creator'),
    decisionRoute('suspend', 'suspended', 'Suspend a creator'),
  ];
}

function decisionRoute(verb: string, verdict: CreatorVerdict, summary: string): Route {
  const common = {
    method: 'post',
    path: `/creators/:address/${verb}`,
    summary,
    group: 'admin',
    param: addressParameter,
    success: { status: 200, view: 'Creator' },
    errors: [],
  } as const;
  if (verdict === 'approved') {
    return defineRoute({
      ...common,
      handler: ({ context, param }) => decideCreator(context, { address: param, verdict, reason: null }),
    });
  }
  return defineRoute({
    ...common,
    body: decideCreatorBody,
    handler: ({ context, param, body }) => decideCreator(context, { ...body, address: param, verdict }),
  });
}

function accountRoutes(): Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/accounts/:address/deposits',
      summary: 'Credit a wallet from outside',
      description: REFERENCES,
      group: 'admin',
      param: addressParameter,
      body: depositBody,
      success: { status: 200, view: 'Deposit' },
      errors: ['IDEMPOTENCY_CONFLICT'],
      handler: ({ context, param, body }) => deposit(context, { ...body, address: param }),
    }),
    defineRoute({
      method: 'get',
      path: '/accounts/:address',
      summary: 'Balance of a wallet',
      group: 'admin',
      param: addressParameter,
      success: { status: 200, view: 'Account' },
      errors: [],
      handler: ({ context, param }) => getAccount(context, { address: param }),
    }),
  ];
}

function treasuryRoutes(): Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/treasury/deposits',
      summary: 'Put money into the house',
      description: REFERENCES,
      group: 'admin',
      body: depositBody,
      success: { status: 200, view: 'TreasuryDeposit' },
      errors: ['IDEMPOTENCY_CONFLICT'],
      handler: ({ context, body }) => depositToTreasury(context, body),
    }),
    defineRoute({
      method: 'get',
      path: '/treasury',
      summary: 'What the house has, what it can still lose, and whether it can pay what it owes',
      group: 'admin',
      success: { status: 200, view: 'Treasury' },
      errors: [],
      handler: ({ context }) => getTreasury(context),
    }),
  ];
}

function marketRoutes(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/markets',
      summary: 'Markets with the state of their resolution, earliest resolve date first',
      group: 'admin',
      query: listMarketsAsOperatorQuery,
      success: { status: 200, view: 'OperatorMarketList' },
      errors: [],
      handler: ({ context, query }) => listMarketsAsOperator(context, query),
    }),
    defineRoute({
      method: 'post',
      path: '/markets/:id/close',
      summary: 'End trading now and hand the market to the oracle',
      group: 'admin',
      param: marketParameter,
      success: { status: 200, view: 'MarketDetail' },
      errors: ['MARKET_NOT_FOUND', 'MARKET_CLOSED'],
      handler: ({ context, param }) => closeMarket(context, { market: param }),
    }),
    defineRoute({
      method: 'post',
      path: '/markets/:id/resolve',
      summary: 'Decide the outcome; closes the market first if need be',
      group: 'admin',
      param: marketParameter,
      body: resolveBody,
      success: { status: 200, view: 'MarketDetail' },
      errors: ['MARKET_NOT_FOUND', 'ALREADY_RESOLVED'],
      handler: ({ context, param, body }) => resolveMarket(context, { ...body, market: param }),
    }),
  ];
}

function resolutionRoutes(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/resolutions',
      summary: 'Markets that are closed and not resolved, by id',
      group: 'admin',
      query: listResolutionsQuery,
      success: { status: 200, view: 'ResolutionList' },
      errors: [],
      handler: ({ context, query }) => listResolutions(context, query),
    }),
    defineRoute({
      method: 'get',
      path: '/markets/:id/resolution',
      summary: 'The rounds of the oracle on a market, with their votes and costs',
      group: 'admin',
      param: marketParameter,
      success: { status: 200, view: 'ResolutionEvidence' },
      errors: ['MARKET_NOT_FOUND'],
      handler: ({ context, param }) => getResolutionEvidence(context, { market: param }),
    }),
    defineRoute({
      method: 'post',
      path: '/markets/:id/resolution/retry',
      summary: 'Put a market that waits for an operator to the oracle anew',
      group: 'admin',
      param: marketParameter,
      success: { status: 200, view: 'ResolutionEvidence' },
      errors: ['MARKET_NOT_FOUND', 'NOT_ESCALATED'],
      handler: ({ context, param }) => retryResolution(context, { market: param }),
    }),
  ];
}

function keyRoutes(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/accounts/:address/keys',
      summary: "A wallet's active keys",
      group: 'admin',
      param: addressParameter,
      success: { status: 200, view: 'KeyList' },
      errors: [],
      handler: ({ context, param }) => listKeys(context, { address: param }),
    }),
    defineRoute({
      method: 'patch',
      path: '/keys/:id',
      summary: 'Change the quota or the scopes of a key',
      group: 'admin',
      param: requiredKeyIdParameter,
      body: updateKeyBody,
      success: { status: 200, view: 'Key' },
      errors: ['KEY_NOT_FOUND'],
      handler: ({ context, param, body }) => updateKey(context, { ...body, id: param }),
    }),
    defineRoute({
      method: 'delete',
      path: '/keys/:id',
      summary: 'Revoke a key without a signature of its wallet',
      group: 'admin',
      param: requiredKeyIdParameter,
      success: { status: 200, view: 'RevokedKey' },
      errors: ['KEY_NOT_FOUND'],
      handler: ({ context, param }) => revokeKeyAsOperator(context, { id: param }),
    }),
  ];
}

function logRoute(): Route {
  return defineRoute({
    method: 'get',
    path: '/log',
    summary: 'What operators have changed, newest first',
    group: 'admin',
    query: listOperatorLogQuery,
    success: { status: 200, view: 'OperatorLog' },
    errors: [],
    handler: ({ context, query }) => listOperatorLog(context, query),
  });
}

function auditRoute(): Route {
  return defineRoute({
    method: 'get',
    path: '/audit',
    summary: 'Recompute balances, pools and positions from entries and trades, and compare',
    group: 'admin',
    success: { status: 200, view: 'Audit' },
    errors: [],
    handler: ({ context }) => audit(context),
  });
}

function alarmsRoute(): Route {
  return defineRoute({
    method: 'get',
    path: '/alarms',
    summary: 'The alarms of the instance that answers: what needs an operator, and why',
    description: 'Some alarms are known to one instance only. So ask each instance.',
    group: 'admin',
    success: { status: 200, view: 'AlarmList' },
    errors: [],
    handler: async ({ context }) => alarmListView(context.alarms.list()),
  });
}
