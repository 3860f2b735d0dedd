/** Calls that are paid one by one, and the free route that lists them (docs/specification.md "Paid calls"). */
import { paidDepositBody, marketFeedQuery, paidMarketBody, questionQuery } from '../../schemas/x402';
import type { Config } from '../../config';
import { paidRoute, type PaidRouteDependencies } from '../x402/paid-route';
import { infoRoute } from '../x402/info';
import type { Route } from '../route';

export function paidRoutes(config: Config, dependencies: PaidRouteDependencies): Route[] {
  const paid = [
    paidRoute(dependencies, {
      method: 'get',
      path: '/x402/feed',
      summary: 'Real-time snapshot: prices, volume, active markets',
      query: marketFeedQuery,
      success: { status: 200, view: 'MarketFeed' },
      errors: [],
      price: config.prices.feed,
      command: (query) => ({ operation: 'feed', ...query }),
    }),
    paidRoute(dependencies, {
      method: 'get',
      path: '/x402/oracle/resolve',
      summary: "The oracle's current consensus on a question: probability and citations",
      query: questionQuery,
      success: { status: 200, view: 'OracleAnswer' },
      errors: ['MARKET_NOT_FOUND', 'ORACLE_UNAVAILABLE'],
      price: config.prices.oracleResolve,
      command: (query) => ({ operation: 'oracle-resolve', ...query }),
    }),
    paidRoute(dependencies, {
      method: 'post',
      path: '/x402/markets',
      summary: 'Create a market; the paying wallet needs creator approval',
      description: 'A wallet without approval is charged all the same.',
      body: paidMarketBody,
      success: { status: 201, view: 'MarketDetail' },
      errors: ['INSUFFICIENT_PERMISSIONS', 'EXPOSURE_LIMIT'],
      price: config.prices.createMarket,
      command: (body) => ({ operation: 'create-market', ...body }),
    }),
    paidRoute(dependencies, {
      method: 'post',
      path: '/x402/deposit',
      summary: "Credit the paying wallet's balance with what it pays",
      description: 'The 402 answer asks for exactly the amount of the body.',
      body: paidDepositBody,
      success: { status: 201, view: 'Deposit' },
      errors: [],
      price: ({ amount }) => amount,
      command: () => ({ operation: 'deposit' }),
    }),
  ];
  return [...paid.map(({ route }) => route), infoRoute(config, dependencies.nonces, paid)];
}
