/** The typed methods: each checks its input by the schema that guards the HTTP API, and calls one use case. */
import type Joi from 'joi';
import type { MarketInput, Operations } from './operations-types';
import * as accounts from './schemas/account';
import * as admin from './schemas/admin';
import * as auth from './schemas/auth';
import * as creators from './schemas/creators';
import * as markets from './schemas/markets';
import { parseInput } from './schemas/parse';
import * as trades from './schemas/trades';
import * as withdrawals from './schemas/withdrawals';
import * as x402 from './schemas/x402';
import { applyAsCreator } from './usecases/apply-as-creator';
import { askQuestion } from './usecases/ask-question';
import { audit } from './usecases/audit';
import { closeMarket } from './usecases/close-market';
import type { Context } from './usecases/context';
import { createMarket } from './usecases/create-market';
import { creatorStatus } from './usecases/creator-status';
import { decidePayment } from './usecases/decide-payment';
import { deposit, depositToTreasury } from './usecases/deposit';
import { getAccount } from './usecases/get-account';
import { getBalance } from './usecases/get-balance';
import { getFeed } from './usecases/get-feed';
import { getMarket } from './usecases/get-market';
import { getPrice } from './usecases/get-price';
import { getPriceHistory } from './usecases/get-price-history';
import { getTreasury } from './usecases/get-treasury';
import { issueChallenge } from './usecases/issue-challenge';
import { issueKey } from './usecases/issue-key';
import { judgeCreator } from './usecases/judge-creator';
import { listCreators } from './usecases/list-creators';
import { listKeys } from './usecases/list-keys';
import { listMarkets } from './usecases/list-markets';
import { listPayments } from './usecases/list-payments';
import { listPositions } from './usecases/list-positions';
import { listTrades } from './usecases/list-trades';
import { getWithdrawal, listWithdrawals } from './usecases/list-withdrawals';
import { listWalletHistory } from './usecases/list-wallet-history';
import { regenerateKey } from './usecases/regenerate-key';
import { requestWithdrawal } from './usecases/request-withdrawal';
import { resolveMarket } from './usecases/resolve-market';
import { revokeKey } from './usecases/revoke-key';
import type { TradeLane } from './usecases/trade-lane';
import { updateKey } from './usecases/update-key';

/** `guard` throws while the market is not started: a method must not reach a storage that is not open. */
export function createOperations(context: Context, lane: TradeLane, guard: () => void): Operations {
  const operation =
    <Command, Answer>(
      schema: Joi.Schema<Command>,
      run: (context: Context, command: Command) => Promise<Answer>,
    ) =>
    async (input: unknown = {}): Promise<Answer> => {
      guard();
      return run(context, parseInput(schema, input));
    };
  const getByReference = operation(markets.marketInput, getMarket);

  return {
    issueChallenge: operation(auth.challengeBody, issueChallenge),
    issueKey: operation(auth.tokenBody, issueKey),
    listKeys: operation(auth.addressInput, listKeys),
    revokeKey: operation(auth.manageKeyInput, revokeKey),
    regenerateKey: operation(auth.manageKeyInput, regenerateKey),
    creatorStatus: operation(creators.creatorStatusQuery, creatorStatus),
    applyAsCreator: operation(creators.applyBody, applyAsCreator),

    listMarkets: operation(markets.listMarketsQuery, listMarkets),
    getMarket: (market: MarketInput) => getByReference({ market }),
    createMarket: operation(markets.createMarketInput, createMarket),
    listTrades: operation(trades.listTradesInput, listTrades),
    getPrice: operation(markets.quoteInput, getPrice),
    getPriceHistory: operation(markets.priceHistoryInput, getPriceHistory),
    placeTrade: operation(
      trades.placeTradeInput,
      async (_context, command) => (await lane.place(command)).view,
    ),
    listPositions: operation(accounts.listPositionsInput, listPositions),
    listWalletHistory: operation(accounts.listWalletHistoryInput, listWalletHistory),
    getBalance: operation(accounts.walletInput, getBalance),
    requestWithdrawal: operation(
      withdrawals.requestWithdrawalInput(context.config.smallestWithdrawalMicros),
      async (_context, command) => (await requestWithdrawal(context, command)).view,
    ),
    listWithdrawals: operation(withdrawals.listWithdrawalsInput, listWithdrawals),
    getWithdrawal: operation(withdrawals.getWithdrawalInput, getWithdrawal),

    getFeed: operation(x402.feedQuery, getFeed),
    askOracle: operation(x402.questionQuery, askQuestion),

    listPayments: operation(x402.listPaymentsQuery, listPayments),
    confirmPayment: operation(x402.decidePaymentInput, (_context, decision) =>
      decidePayment(context, { ...decision, verdict: 'confirmed' }),
    ),
    rejectPayment: operation(x402.decidePaymentInput, (_context, decision) =>
      decidePayment(context, { ...decision, verdict: 'rejected' }),
    ),
    listCreators: operation(admin.listCreatorsQuery, listCreators),
    approveCreator: operation(auth.addressInput, (_context, { address }) =>
      judgeCreator(context, { address, verdict: 'approved', reason: null }),
    ),
    rejectCreator: operation(admin.judgeInput, (_context, judged) =>
      judgeCreator(context, { ...judged, verdict: 'rejected' }),
    ),
    suspendCreator: operation(admin.judgeInput, (_context, judged) =>
      judgeCreator(context, { ...judged, verdict: 'suspended' }),
    ),
    deposit: operation(admin.depositInput, deposit),
    getAccount: operation(auth.addressInput, getAccount),
    depositToTreasury: operation(admin.depositBody, depositToTreasury),
    getTreasury: async () => {
      guard();
      return getTreasury(context);
    },
    closeMarket: operation(markets.marketInput, closeMarket),
    resolveMarket: operation(admin.resolveInput, resolveMarket),
    updateKey: operation(admin.updateKeyInput, updateKey),
    audit: async () => {
      guard();
      return audit(context);
    },
  };
}
