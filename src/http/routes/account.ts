import { depositsQuery, earningsQuery, historyPageQuery, positionsQuery } from '../../schemas/account';
import { getBalance } from '../../usecases/accounts/get-balance';
import { listDeposits } from '../../usecases/accounts/list-deposits';
import { listEarnings } from '../../usecases/markets/list-earnings';
import { listPositions } from '../../usecases/accounts/list-positions';
import { listWalletHistory } from '../../usecases/accounts/list-wallet-history';
import type { LimitsView } from '../../views/key';
import type { ApiKey } from '../../domain/types';
import type { QuotaFigures } from '../admission/quota';
import { defineRoute, type Route } from '../route';

export function accountRoutes(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/public/balance',
      summary: 'USDC balance on the platform',
      group: 'public',
      scope: 'account:read',
      success: { status: 200, view: 'Balance' },
      errors: [],
      handler: ({ context, key }) => getBalance(context, { wallet: key.wallet }),
    }),
    defineRoute({
      method: 'get',
      path: '/public/positions',
      summary: 'Positions with profit and loss',
      group: 'public',
      scope: 'account:read',
      query: positionsQuery,
      success: { status: 200, view: 'PositionList' },
      errors: [],
      handler: ({ context, key, query }) => listPositions(context, { ...query, wallet: key.wallet }),
    }),
    defineRoute({
      method: 'get',
      path: '/public/positions/history',
      summary: 'Trades and settlements, newest first',
      group: 'public',
      scope: 'account:read',
      query: historyPageQuery,
      success: { status: 200, view: 'WalletHistory' },
      errors: [],
      handler: ({ context, key, query }) => listWalletHistory(context, { ...query, wallet: key.wallet }),
    }),
    defineRoute({
      method: 'get',
      path: '/public/deposits',
      summary: 'Deposits of the wallet, newest first',
      group: 'public',
      scope: 'account:read',
      query: depositsQuery,
      success: { status: 200, view: 'CreditList' },
      errors: [],
      handler: ({ context, key, query }) => listDeposits(context, { ...query, wallet: key.wallet }),
    }),
    defineRoute({
      method: 'get',
      path: '/public/creator/earnings',
      summary: 'Markets that the wallet created, with the fees of each, newest first',
      group: 'public',
      scope: 'account:read',
      query: earningsQuery,
      success: { status: 200, view: 'CreatorEarnings' },
      errors: [],
      handler: ({ context, key, query }) => listEarnings(context, { ...query, wallet: key.wallet }),
    }),
    defineRoute({
      method: 'get',
      path: '/public/limits',
      summary: 'Quota and scopes of the key',
      description: 'Is a request like any other: it counts itself.',
      group: 'public',
      success: { status: 200, view: 'Limits' },
      errors: [],
      handler: ({ key, figures }) => limitsOf(key, figures),
    }),
  ];
}

function limitsOf(key: ApiKey, figures: QuotaFigures | null): LimitsView {
  if (figures === null) throw new Error('requests with a key are always counted');
  return {
    limit: figures.limit,
    remaining: figures.remaining,
    resetAt: new Date(figures.resetAt).toISOString(),
    scopes: key.scopes,
  };
}
