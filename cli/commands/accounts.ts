/** The command `accounts`, by which operators look at the money of one wallet. */
import type {
  AddressInput,
  ListDepositsAsOperatorInput,
  ListPostingsInput,
  ListWithdrawalsAsOperatorInput,
  OperatorCreditView,
  OperatorWithdrawalView,
  PostingView,
} from 'express-prediction-market';
import { operatorCommand, type OperatorGroup } from '../operator-command';
import { option, PAGE, WALLET } from '../operator-fields';
import { describeFunds } from './money';
import { describeWithdrawal, more, whyPending } from './payments';

export const ACCOUNTS: OperatorGroup = {
  name: 'accounts',
  description: 'show the money of a wallet, and what has changed it',
  commands: [
    operatorCommand({
      name: 'show',
      description: 'show the balance of a wallet',
      route: 'GET /accounts/{address}',
      field: 'available',
      onDatabase: (market, input: AddressInput) => market.getAccount(input),
      fields: { address: WALLET },
      lines: (account) => [`${account.address}  ${describeFunds(account)}`],
    }),
    operatorCommand({
      name: 'deposits',
      description: 'list the deposits of a wallet with their references, the newest first',
      route: 'GET /accounts/{address}/deposits',
      field: 'deposits',
      onDatabase: (market, input: ListDepositsAsOperatorInput) => market.listDepositsAsOperator(input),
      fields: { address: WALLET, ...PAGE },
      lines: ({ deposits, hasMore, offset }) => [
        ...deposits.map(describeDeposit),
        more(deposits.length, hasMore, `--offset ${offset + deposits.length}`),
      ],
    }),
    operatorCommand({
      name: 'withdrawals',
      description: 'list all withdrawals of a wallet, the newest first',
      route: 'GET /accounts/{address}/withdrawals',
      field: 'withdrawals',
      onDatabase: (market, input: ListWithdrawalsAsOperatorInput) => market.listWithdrawalsAsOperator(input),
      fields: { address: WALLET, ...PAGE },
      lines: ({ withdrawals, total }) => [
        ...withdrawals.map(describeWithReason),
        ...whyPending(withdrawals),
        `${withdrawals.length} of ${total}`,
      ],
    }),
    operatorCommand({
      name: 'postings',
      description: 'list what has changed the balance of a wallet, the newest first',
      route: 'GET /accounts/{address}/postings',
      field: 'postings',
      onDatabase: (market, input: ListPostingsInput) => market.listPostings(input),
      fields: {
        address: WALLET,
        limit: PAGE.limit,
        after: option('where the page begins, as the page before says', 'position'),
      },
      lines: ({ postings, next }) => [
        ...postings.map(describePosting),
        more(postings.length, next !== null, `--after ${next ?? ''}`),
      ],
    }),
  ],
};

function describeDeposit({ createdAt, amount, source, transaction, reference }: OperatorCreditView): string {
  return `${createdAt}  ${amount} USD  ${source}  transaction ${transaction ?? '-'}  ${reference}`;
}

function describeWithReason({ reason, ...withdrawal }: OperatorWithdrawalView): string {
  return `${describeWithdrawal(withdrawal)}${reason === null ? '' : `  ${reason}`}`;
}

function describePosting({ createdAt, kind, amount, marketId, reference }: PostingView): string {
  return `${createdAt}  ${kind}  ${amount} USD  market ${marketId ?? '-'}  ${reference}`;
}
