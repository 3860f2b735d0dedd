/** The typed methods. Each method checks its input with the schema that the HTTP API uses, and calls a use case. */
import type { DefineOperation, Functions } from './define-operation';
import type { MarketInput } from './inputs';
import type { Operations } from './operations-types';
import * as accounts from './schemas/account';
import * as auth from './schemas/auth';
import * as creators from './schemas/creators';
import * as markets from './schemas/markets';
import { readOrderInputFast } from './schemas/order-reader';
import { parseInput } from './schemas/parse';
import * as trades from './schemas/trades';
import * as withdrawals from './schemas/withdrawals';
import * as x402 from './schemas/x402';
import { applyAsCreator } from './usecases/creators/apply-as-creator';
import { askQuestion } from './usecases/resolution/ask-question';
import type { Context } from './usecases/context';
import { createMarket } from './usecases/markets/create-market';
import { creatorStatus } from './usecases/creators/creator-status';
import { getBalance } from './usecases/accounts/get-balance';
import { getMarketFeed } from './usecases/markets/get-market-feed';
import { getMarket } from './usecases/markets/get-market';
import { getPrice } from './usecases/markets/get-price';
import { getPriceHistory } from './usecases/markets/get-price-history';
import { issueChallenge } from './usecases/keys/issue-challenge';
import { issueKey } from './usecases/keys/issue-key';
import { listKeys } from './usecases/keys/list-keys';
import { previewMarket } from './usecases/markets/preview-market';
import { listMarkets } from './usecases/markets/list-markets';
import { listDeposits } from './usecases/accounts/list-deposits';
import { listEarnings } from './usecases/markets/list-earnings';
import { listPositions } from './usecases/accounts/list-positions';
import { listTrades } from './usecases/trading/list-trades';
import { getWithdrawal, listWithdrawals } from './usecases/withdrawals/list-withdrawals';
import { listWalletHistory } from './usecases/accounts/list-wallet-history';
import { regenerateKey } from './usecases/keys/regenerate-key';
import { requestWithdrawal } from './usecases/withdrawals/request-withdrawal';
import { getMarketResolution, getResolutionProgress } from './usecases/resolution/get-resolution';
import { revokeKey } from './usecases/keys/revoke-key';
import type { TradeQueue } from './usecases/trading/trade-queue';
import { createOperatorOperations } from './operator-operations';

/** Makes the typed methods. `requireStarted` throws before the start and after the close. */
export function createOperations(
  context: Context,
  queue: TradeQueue,
  requireStarted: () => void,
): Operations {
  const operation: DefineOperation = (schema, run, shortcut) => async (input) => {
    requireStarted();
    return run(context, parseInput(schema, input === undefined ? {} : input, shortcut));
  };
  return {
    ...keyOperations(operation),
    ...marketOperations(operation),
    ...walletOperations(operation, context, queue),
    ...createOperatorOperations(context, operation, requireStarted),
  } satisfies Functions<Operations>;
}

// --- for wallets ---

function keyOperations(operation: DefineOperation) {
  return {
    issueChallenge: operation(auth.challengeBody, issueChallenge),
    issueKey: operation(auth.tokenBody, issueKey),
    listKeys: operation(auth.addressInput, listKeys),
    revokeKey: operation(auth.manageKeyInput, revokeKey),
    regenerateKey: operation(auth.manageKeyInput, regenerateKey),
    creatorStatus: operation(creators.creatorStatusQuery, creatorStatus),
    applyAsCreator: operation(creators.applyBody, applyAsCreator),
  } satisfies Partial<Functions<Operations>>;
}

function marketOperations(operation: DefineOperation) {
  const getByReference = operation(markets.marketInput, getMarket);
  const resolutionByReference = operation(markets.marketInput, getMarketResolution);
  const progressByReference = operation(markets.marketInput, getResolutionProgress);
  return {
    listMarkets: operation(markets.listMarketsQuery, listMarkets),
    getMarket: (market: MarketInput) => getByReference({ market }),
    getMarketResolution: (market: MarketInput) => resolutionByReference({ market }),
    getResolutionProgress: (market: MarketInput) => progressByReference({ market }),
    createMarket: operation(markets.createMarketInput, createMarket),
    previewMarket: operation(markets.createMarketBody, previewMarket),
    listTrades: operation(trades.listTradesInput, listTrades),
    getPrice: operation(markets.quoteInput, getPrice),
    getPriceHistory: operation(markets.priceHistoryInput, getPriceHistory),
    getMarketFeed: operation(x402.marketFeedQuery, getMarketFeed),
    askQuestion: operation(x402.questionQuery, askQuestion),
  } satisfies Partial<Functions<Operations>>;
}

function walletOperations(operation: DefineOperation, { config }: Context, queue: TradeQueue) {
  return {
    placeTrade: operation(
      trades.placeTradeInput,
      async (_context, command) => (await queue.place(command)).view,
      readOrderInputFast,
    ),
    listPositions: operation(accounts.listPositionsInput, listPositions),
    listWalletHistory: operation(accounts.listWalletHistoryInput, listWalletHistory),
    listDeposits: operation(accounts.listDepositsInput, listDeposits),
    listEarnings: operation(accounts.listEarningsInput, listEarnings),
    getBalance: operation(accounts.walletInput, getBalance),
    requestWithdrawal: operation(
      withdrawals.requestWithdrawalInput(config.smallestWithdrawalMicros),
      async (context, command) => (await requestWithdrawal(context, command)).view,
    ),
    listWithdrawals: operation(withdrawals.listWithdrawalsInput, listWithdrawals),
    getWithdrawal: operation(withdrawals.getWithdrawalInput, getWithdrawal),
  } satisfies Partial<Functions<Operations>>;
}
