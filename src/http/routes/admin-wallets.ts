/** The lists by which operators look at the money of one wallet. */
import { postingsQuery, walletPageQuery } from '../../schemas/wallets';
import { listDepositsAsOperator } from '../../usecases/accounts/list-deposits';
import { listPostings } from '../../usecases/accounts/list-postings';
import { listWithdrawalsAsOperator } from '../../usecases/withdrawals/list-withdrawals';
import { defineRoute, type Route } from '../route';
import { addressParameter } from './parameters';

const OF_WALLET = { method: 'get', group: 'admin', param: addressParameter, errors: [] } as const;

export function walletRoutes(): Route[] {
  return [
    defineRoute({
      ...OF_WALLET,
      path: '/accounts/:address/deposits',
      summary: "A wallet's deposits with their references, newest first",
      query: walletPageQuery,
      success: { status: 200, view: 'OperatorCreditList' },
      handler: ({ context, param, query }) => listDepositsAsOperator(context, { ...query, address: param }),
    }),
    defineRoute({
      ...OF_WALLET,
      path: '/accounts/:address/withdrawals',
      summary: 'All withdrawals of a wallet, newest first',
      query: walletPageQuery,
      success: { status: 200, view: 'OperatorWithdrawalList' },
      handler: ({ context, param, query }) =>
        listWithdrawalsAsOperator(context, { ...query, address: param }),
    }),
    defineRoute({
      ...OF_WALLET,
      path: '/accounts/:address/postings',
      summary: 'What has changed the balance of a wallet, newest first',
      description:
        'For the next page, give `next` as `after`. Fees that the wallet earns as the creator of markets are not listed.',
      query: postingsQuery,
      success: { status: 200, view: 'PostingList' },
      handler: ({ context, param, query }) => listPostings(context, { ...query, address: param }),
    }),
  ];
}
