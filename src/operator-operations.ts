import { checkOptions, mustBe, optional, type Checks } from './domain/options';
import type { MarketInput } from './inputs';
import * as admin from './schemas/admin';
import * as auth from './schemas/auth';
import * as markets from './schemas/markets';
import { parseInput, parseOperator, requireObject } from './schemas/parse';
import * as consumers from './schemas/consumers';
import * as wallets from './schemas/wallets';
import * as webhooks from './schemas/webhooks';
import * as withdrawals from './schemas/withdrawals';
import * as x402 from './schemas/x402';
import { audit, type AuditOptions } from './usecases/accounts/audit';
import { closeMarket } from './usecases/markets/close-market';
import type { Context } from './usecases/context';
import { decidePayment } from './usecases/payments/decide-payment';
import { decideWithdrawal } from './usecases/withdrawals/decide-withdrawal';
import { listOpenWithdrawals } from './usecases/withdrawals/list-open-withdrawals';
import { listWithdrawalsAsOperator } from './usecases/withdrawals/list-withdrawals';
import { deposit, depositToTreasury } from './usecases/accounts/deposit';
import { getAccount } from './usecases/accounts/get-account';
import { getTreasury } from './usecases/accounts/get-treasury';
import { listDepositsAsOperator } from './usecases/accounts/list-deposits';
import { listPostings } from './usecases/accounts/list-postings';
import { decideCreator } from './usecases/creators/decide-creator';
import { listCreators } from './usecases/creators/list-creators';
import { listPayments } from './usecases/payments/list-payments';
import { getResolutionEvidence } from './usecases/resolution/get-resolution';
import { listMarketsAsOperator } from './usecases/resolution/list-markets-as-operator';
import { listResolutions } from './usecases/resolution/list-resolutions';
import { resolveMarket } from './usecases/resolution/resolve-market';
import { retryResolution } from './usecases/resolution/retry-resolution';
import { revokeKeyAsOperator } from './usecases/keys/revoke-key';
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
import type { DefineAct, DefineOperation, Functions } from './define-operation';
import type { OperatorOperations } from './operator-operations-types';
import { listOperatorLog } from './usecases/operators/list-operator-log';

const AUDIT_CHECKS: Checks<AuditOptions> = {
  onStep: optional(mustBe('a function', (value) => typeof value === 'function')),
};

/** The operator's name in the log if the host names none. */
const UNNAMED = 'host';

interface Define {
  operation: DefineOperation;
  act: DefineAct;
}

export function createOperatorOperations(
  context: Context,
  operation: DefineOperation,
  requireStarted: () => void,
): Functions<OperatorOperations> {
  const act: DefineAct =
    (schema, run) =>
    async (input = {} as never, acting = {}) => {
      requireStarted();
      const command = parseInput(schema, input);
      const { operator } = parseOperator(admin.actingOperator, acting);
      return run({ ...context, operator: operator ?? UNNAMED }, command);
    };
  const define = { operation, act };
  return {
    ...paymentOperations(define),
    ...withdrawalDecisions(define),
    ...creatorDecisions(define),
    ...accountOperations(define),
    ...resolutionOperations(define),
    ...webhookOperations(define, context),
    ...consumerOperations(define),
    consumers: async () => {
      requireStarted();
      return listConsumers(context);
    },
    updateKey: act(admin.updateKeyInput, updateKey),
    revokeKeyAsOperator: act(admin.keyInput, revokeKeyAsOperator),
    getTreasury: async () => {
      requireStarted();
      return getTreasury(context);
    },
    listOperatorLog: operation(admin.listOperatorLogQuery, listOperatorLog),
    audit: async (options) => {
      checkOptions('audit', options, AUDIT_CHECKS);
      requireStarted();
      return audit(context, options);
    },
  };
}

function paymentOperations({ operation, act }: Define) {
  return {
    listPayments: operation(x402.listPaymentsQuery, listPayments),
    confirmPayment: act(x402.decidePaymentInput, (context, decision) =>
      decidePayment(context, { ...decision, verdict: 'confirmed' }),
    ),
    rejectPayment: act(x402.decidePaymentInput, (context, decision) =>
      decidePayment(context, { ...decision, verdict: 'rejected' }),
    ),
  } satisfies Partial<Functions<OperatorOperations>>;
}

function withdrawalDecisions({ operation, act }: Define) {
  return {
    listOpenWithdrawals: operation(withdrawals.openWithdrawalsQuery, listOpenWithdrawals),
    confirmWithdrawal: act(withdrawals.confirmWithdrawalInput, (context, decision) =>
      decideWithdrawal(context, { ...decision, verdict: 'confirmed' }),
    ),
    failWithdrawal: act(withdrawals.failWithdrawalInput, (context, decision) =>
      decideWithdrawal(context, { ...decision, verdict: 'failed' }),
    ),
  } satisfies Partial<Functions<OperatorOperations>>;
}

function creatorDecisions({ operation, act }: Define) {
  return {
    listCreators: operation(admin.listCreatorsQuery, listCreators),
    approveCreator: act(auth.addressInput, (context, { address }) =>
      decideCreator(context, { address, verdict: 'approved', reason: null }),
    ),
    rejectCreator: act(admin.decideCreatorInput, (context, decided) =>
      decideCreator(context, { ...decided, verdict: 'rejected' }),
    ),
    suspendCreator: act(admin.decideCreatorInput, (context, decided) =>
      decideCreator(context, { ...decided, verdict: 'suspended' }),
    ),
  } satisfies Partial<Functions<OperatorOperations>>;
}

function accountOperations({ operation, act }: Define) {
  return {
    deposit: act(admin.depositInput, deposit),
    getAccount: operation(auth.addressInput, getAccount),
    listDepositsAsOperator: operation(wallets.listDepositsAsOperatorInput, listDepositsAsOperator),
    listWithdrawalsAsOperator: operation(wallets.listWithdrawalsAsOperatorInput, listWithdrawalsAsOperator),
    listPostings: operation(wallets.listPostingsInput, listPostings),
    depositToTreasury: act(admin.depositBody, depositToTreasury),
  } satisfies Partial<Functions<OperatorOperations>>;
}

function resolutionOperations({ operation, act }: Define) {
  const evidenceByReference = operation(markets.marketInput, getResolutionEvidence);
  return {
    closeMarket: act(markets.marketInput, closeMarket),
    resolveMarket: act(admin.resolveInput, resolveMarket),
    listMarketsAsOperator: operation(admin.listMarketsAsOperatorQuery, listMarketsAsOperator),
    listResolutions: operation(admin.listResolutionsQuery, listResolutions),
    getResolutionEvidence: (market: MarketInput) => evidenceByReference({ market }),
    retryResolution: act(markets.marketInput, retryResolution),
  } satisfies Partial<Functions<OperatorOperations>>;
}

function webhookOperations({ operation, act }: Define, { config }: Context) {
  return {
    createWebhook: act(webhooks.createWebhookBody(config.webhooks.allowPrivate), createWebhook),
    listWebhooks: operation(webhooks.webhooksQuery, listWebhooks),
    removeWebhook: act(webhooks.webhookInput, removeWebhook),
    enableWebhook: act(webhooks.webhookInput, enableWebhook),
    replayWebhook: act(webhooks.replayInput, replayWebhook),
    rotateWebhookSecret: act(webhooks.rotateInput, rotateWebhookSecret),
    listWebhookDeliveries: operation(webhooks.listDeliveriesInput, listWebhookDeliveries),
  } satisfies Partial<Functions<OperatorOperations>>;
}

/** These methods take the consumer's name as the first argument, as `consume` does. */
function consumerOperations({ operation, act }: Define) {
  const remove = act(consumers.consumerInput, removeConsumer);
  const resume = act(consumers.resumeInput, resumeConsumer);
  const listParked = operation(consumers.listParkedFactsInput, listParkedFacts);
  const redo = act(consumers.redoInput, redoParkedFacts);
  const skip = act(consumers.skipInput, skipParkedFact);
  return {
    removeConsumer: (name, acting) => remove({ name }, acting),
    async resumeConsumer(name, input, acting) {
      requireObject(consumers.resumeBody, input);
      return resume({ ...input, name }, acting);
    },
    async listParkedFacts(name, input = {}) {
      requireObject(consumers.parkedFactsQuery, input);
      return listParked({ ...input, name });
    },
    async redoParkedFacts(name, input = {}, acting) {
      requireObject(consumers.redoBody, input);
      return redo({ ...input, name }, acting);
    },
    async skipParkedFact(name, input, acting) {
      requireObject(consumers.skipBody, input);
      return skip({ ...input, name }, acting);
    },
  } satisfies Partial<Functions<OperatorOperations>>;
}
