/**
 * The typed methods. Each method checks its input with the schema that the HTTP API uses, and calls one use
 * case.
 */
import type { MarketInput } from './inputs';
import type { Operations } from './operations-types';
import * as accounts from './schemas/account';
import * as admin from './schemas/admin';
import * as auth from './schemas/auth';
import * as creators from './schemas/creators';
import type { InputSchema } from './schemas/input';
import * as markets from './schemas/markets';
import { readOrderInputFast } from './schemas/orders';
import { parseInput, type Shortcut } from './schemas/parse';
import * as trades from './schemas/trades';
import * as consumers from './schemas/consumers';
import * as webhooks from './schemas/webhooks';
import * as withdrawals from './schemas/withdrawals';
import * as x402 from './schemas/x402';
import { applyAsCreator } from './usecases/creators/apply-as-creator';
import { askQuestion } from './usecases/resolution/ask-question';
import { audit } from './usecases/accounts/audit';
import { closeMarket } from './usecases/markets/close-market';
import type { Context } from './usecases/context';
import { createMarket } from './usecases/markets/create-market';
import { creatorStatus } from './usecases/creators/creator-status';
import { decidePayment } from './usecases/payments/decide-payment';
import { decideWithdrawal } from './usecases/withdrawals/decide-withdrawal';
import { deposit, depositToTreasury } from './usecases/accounts/deposit';
import { getAccount } from './usecases/accounts/get-account';
import { getBalance } from './usecases/accounts/get-balance';
import { getMarketFeed } from './usecases/markets/get-market-feed';
import { getMarket } from './usecases/markets/get-market';
import { getPrice } from './usecases/markets/get-price';
import { getPriceHistory } from './usecases/markets/get-price-history';
import { getTreasury } from './usecases/accounts/get-treasury';
import { issueChallenge } from './usecases/keys/issue-challenge';
import { issueKey } from './usecases/keys/issue-key';
import { judgeCreator } from './usecases/creators/judge-creator';
import { listCreators } from './usecases/creators/list-creators';
import { listKeys } from './usecases/keys/list-keys';
import { listMarkets } from './usecases/markets/list-markets';
import { listPayments } from './usecases/payments/list-payments';
import { listPositions } from './usecases/accounts/list-positions';
import { listTrades } from './usecases/trading/list-trades';
import { getWithdrawal, listWithdrawals } from './usecases/withdrawals/list-withdrawals';
import { listWalletHistory } from './usecases/accounts/list-wallet-history';
import { regenerateKey } from './usecases/keys/regenerate-key';
import { requestWithdrawal } from './usecases/withdrawals/request-withdrawal';
import { getMarketResolution, getResolutionEvidence } from './usecases/resolution/get-resolution';
import { listMarketsAsOperator } from './usecases/resolution/list-markets-as-operator';
import { listResolutions } from './usecases/resolution/list-resolutions';
import { resolveMarket } from './usecases/resolution/resolve-market';
import { retryResolution } from './usecases/resolution/retry-resolution';
import { revokeKey, revokeKeyAsOperator } from './usecases/keys/revoke-key';
import type { TradeQueue } from './usecases/trading/trade-queue';
import { redoParkedFacts, skipParkedFact } from './usecases/consumers/decide-parked';
import { listConsumers, listParkedFacts } from './usecases/consumers/list-consumers';
import { removeConsumer } from './usecases/consumers/remove-consumer';
import { resumeConsumer } from './usecases/consumers/resume-consumer';
import { createWebhook } from './usecases/webhooks/create-webhook';
import { enableWebhook } from './usecases/webhooks/enable-webhook';
import { listWebhookDeliveries, listWebhooks } from './usecases/webhooks/list-webhooks';
import { removeWebhook } from './usecases/webhooks/remove-webhook';
import { replayWebhook } from './usecases/webhooks/replay-webhook';
import { rotateWebhookSecret } from './usecases/webhooks/rotate-webhook-secret';
import { updateKey } from './usecases/keys/update-key';

/**
 * Makes the typed methods. `requireStarted` throws before `start` has finished and after `close` was called,
 * because a method must not use a storage that is not open.
 */
export function createOperations(
  context: Context,
  queue: TradeQueue,
  requireStarted: () => void,
): Operations {
  const operation: DefineOperation = (schema, run, shortcut) => async (input) => {
    requireStarted();
    return run(context, parseInput(schema, input === undefined ? {} : input, shortcut));
  };
  const operations: Functions<Operations> = {
    ...keyOperations(operation),
    ...marketOperations(operation),
    ...walletOperations(operation, context, queue),
    ...paymentOperations(operation),
    ...withdrawalDecisions(operation),
    ...creatorDecisions(operation),
    ...accountOperations(operation),
    ...resolutionOperations(operation),
    ...webhookOperations(operation, context),
    ...consumerOperations(operation),
    consumers: async () => {
      requireStarted();
      return listConsumers(context);
    },
    updateKey: operation(admin.updateKeyInput, updateKey),
    revokeKeyAsOperator: operation(admin.keyInput, revokeKeyAsOperator),
    getTreasury: async () => {
      requireStarted();
      return getTreasury(context);
    },
    audit: async (options) => {
      requireStarted();
      return audit(context, options);
    },
  };
  return operations;
}

/** Makes a typed method of a schema and a use case. */
type DefineOperation = <Input, Command, Answer>(
  schema: InputSchema<Input, Command>,
  run: (context: Context, command: Command) => Promise<Answer>,
  shortcut?: Shortcut<Command>,
) => (input?: Input) => Promise<Answer>;

/**
 * The methods as function properties. For function properties, the compiler also checks that each input type is
 * the one that the schema reads.
 */
type Functions<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...input: infer Input) => infer Answer
    ? (...input: Input) => Answer
    : never;
};

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
  return {
    listMarkets: operation(markets.listMarketsQuery, listMarkets),
    getMarket: (market: MarketInput) => getByReference({ market }),
    getMarketResolution: (market: MarketInput) => resolutionByReference({ market }),
    createMarket: operation(markets.createMarketInput, createMarket),
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
    getBalance: operation(accounts.walletInput, getBalance),
    requestWithdrawal: operation(
      withdrawals.requestWithdrawalInput(config.smallestWithdrawalMicros),
      async (context, command) => (await requestWithdrawal(context, command)).view,
    ),
    listWithdrawals: operation(withdrawals.listWithdrawalsInput, listWithdrawals),
    getWithdrawal: operation(withdrawals.getWithdrawalInput, getWithdrawal),
  } satisfies Partial<Functions<Operations>>;
}

// --- for operators ---

function paymentOperations(operation: DefineOperation) {
  return {
    listPayments: operation(x402.listPaymentsQuery, listPayments),
    confirmPayment: operation(x402.decidePaymentInput, (context, decision) =>
      decidePayment(context, { ...decision, verdict: 'confirmed' }),
    ),
    rejectPayment: operation(x402.decidePaymentInput, (context, decision) =>
      decidePayment(context, { ...decision, verdict: 'rejected' }),
    ),
  } satisfies Partial<Functions<Operations>>;
}

function withdrawalDecisions(operation: DefineOperation) {
  return {
    confirmWithdrawal: operation(withdrawals.confirmWithdrawalInput, (context, decision) =>
      decideWithdrawal(context, { ...decision, verdict: 'confirmed' }),
    ),
    failWithdrawal: operation(withdrawals.failWithdrawalInput, (context, decision) =>
      decideWithdrawal(context, { ...decision, verdict: 'failed' }),
    ),
  } satisfies Partial<Functions<Operations>>;
}

function creatorDecisions(operation: DefineOperation) {
  return {
    listCreators: operation(admin.listCreatorsQuery, listCreators),
    approveCreator: operation(auth.addressInput, (context, { address }) =>
      judgeCreator(context, { address, verdict: 'approved', reason: null }),
    ),
    rejectCreator: operation(admin.judgeInput, (context, judged) =>
      judgeCreator(context, { ...judged, verdict: 'rejected' }),
    ),
    suspendCreator: operation(admin.judgeInput, (context, judged) =>
      judgeCreator(context, { ...judged, verdict: 'suspended' }),
    ),
  } satisfies Partial<Functions<Operations>>;
}

function accountOperations(operation: DefineOperation) {
  return {
    deposit: operation(admin.depositInput, deposit),
    getAccount: operation(auth.addressInput, getAccount),
    depositToTreasury: operation(admin.depositBody, depositToTreasury),
  } satisfies Partial<Functions<Operations>>;
}

function resolutionOperations(operation: DefineOperation) {
  const evidenceByReference = operation(markets.marketInput, getResolutionEvidence);
  return {
    closeMarket: operation(markets.marketInput, closeMarket),
    resolveMarket: operation(admin.resolveInput, resolveMarket),
    listMarketsAsOperator: operation(admin.listMarketsAsOperatorQuery, listMarketsAsOperator),
    listResolutions: operation(admin.listResolutionsQuery, listResolutions),
    getResolutionEvidence: (market: MarketInput) => evidenceByReference({ market }),
    retryResolution: operation(markets.marketInput, retryResolution),
  } satisfies Partial<Functions<Operations>>;
}

function webhookOperations(operation: DefineOperation, { config }: Context) {
  return {
    createWebhook: operation(webhooks.createWebhookBody(config.webhooks.allowPrivate), createWebhook),
    listWebhooks: operation(webhooks.webhooksQuery, listWebhooks),
    removeWebhook: operation(webhooks.webhookInput, removeWebhook),
    enableWebhook: operation(webhooks.webhookInput, enableWebhook),
    replayWebhook: operation(webhooks.replayInput, replayWebhook),
    rotateWebhookSecret: operation(webhooks.rotateInput, rotateWebhookSecret),
    listWebhookDeliveries: operation(webhooks.listDeliveriesInput, listWebhookDeliveries),
  } satisfies Partial<Functions<Operations>>;
}

/** The name comes first, as in `consume`. */
function consumerOperations(operation: DefineOperation) {
  const remove = operation(consumers.consumerInput, removeConsumer);
  const resume = operation(consumers.resumeInput, resumeConsumer);
  const listParked = operation(consumers.listParkedFactsInput, listParkedFacts);
  const redo = operation(consumers.redoInput, redoParkedFacts);
  const skip = operation(consumers.skipInput, skipParkedFact);
  return {
    removeConsumer: (name) => remove({ name }),
    resumeConsumer: (name, input) => resume({ ...input, name }),
    listParkedFacts: (name, input) => listParked({ ...input, name }),
    redoParkedFacts: (name, input) => redo({ ...input, name }),
    skipParkedFact: (name, input) => skip({ ...input, name }),
  } satisfies Partial<Functions<Operations>>;
}
