/** What the pay-per-request API answers (see views.ts). */
import Joi from 'joi';
import { PAYMENT_STATUSES } from '../domain/payments';
import type * as View from '../views/types';
import { address, amount, count, id, instant, nullableText, probability, text } from './view-fields';

const outcome = (): Joi.StringSchema =>
  Joi.string().valid('YES', 'NO', 'TOO_EARLY', 'AMBIGUOUS', 'UNKNOWN').required();
const baseUnits = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^[1-9]\d*$/)
    .required()
    .description('USDC base units: 1000000 is 1 USD');
const method = (): Joi.StringSchema => Joi.string().valid('GET', 'POST').required();
const url = (): Joi.StringSchema => Joi.string().uri().required();

const nonce = (): Joi.StringSchema =>
  Joi.string()
    .pattern(/^0x[0-9a-f]{64}$/)
    .required()
    .description('For the flat form of X-PAYMENT: the nonce of the authorization');

const requirements = {
  amount: baseUnits(),
  currency: Joi.string().valid('USDC').required(),
  network: text().description('CAIP-2').example('eip155:8453'),
  payTo: address(),
};

const payment = Joi.object<View.PaymentView, true>({
  id: id(),
  status: Joi.string()
    .valid(...PAYMENT_STATUSES)
    .required(),
  operation: text().description('The call that was paid for'),
  payer: address(),
  asset: address(),
  nonce: text(),
  amount: amount('What was paid'),
  transaction: nullableText().description('Hash of the settling transaction'),
  reason: nullableText().description('Why it was rejected, or what it waits for'),
  decision: Joi.object<View.PaymentDecisionView, true>({
    verdict: Joi.string().valid('confirmed', 'rejected').required(),
    reason: text(),
    decidedAt: instant('When the operator said so'),
  })
    .allow(null)
    .required()
    .description('What an operator has said of a settlement that nobody could look up'),
  createdAt: instant('When it was claimed'),
  updatedAt: instant('When its status last changed'),
});

/** Takes the fields of a market from views.ts, which is where they are kept. */
export function paidViews(marketFields: Record<string, Joi.Schema>) {
  return {
    PaymentRequired: Joi.object({
      error: text(),
      code: Joi.string().valid('PAYMENT_REQUIRED', 'PAYMENT_INVALID', 'INSUFFICIENT_FUNDS').required(),
      message: text(),
      ...requirements,
      nonce: nonce(),
      x402Version: Joi.number().valid(1).required(),
      accepts: Joi.array()
        .items(
          Joi.object({
            scheme: Joi.string().valid('exact').required(),
            network: text().example('base'),
            maxAmountRequired: baseUnits(),
            resource: url(),
            description: text(),
            mimeType: text(),
            payTo: address(),
            maxTimeoutSeconds: count(),
            asset: address(),
            extra: Joi.object({ name: text(), version: text() }).required(),
          }),
        )
        .required(),
    }),
    PaymentInfo: Joi.object({
      x402Versions: Joi.array().items(Joi.number().valid(1, 2)).required(),
      currency: Joi.string().valid('USDC').required(),
      network: text(),
      asset: address(),
      payTo: address(),
      endpoints: Joi.array()
        .items(
          Joi.object({
            method: method(),
            path: text(),
            price: Joi.number()
              .min(0)
              .allow(null)
              .required()
              .description('USD; null where the request names it'),
            amount: baseUnits().allow(null),
            description: text(),
            input: Joi.object().unknown(true).required().description('JSON Schema of the query or body'),
            requirements: Joi.object({ ...requirements, nonce: nonce() })
              .allow(null)
              .required(),
          }),
        )
        .required(),
    }),
    Feed: Joi.object<View.FeedView, true>({
      asOf: instant('The moment of the snapshot'),
      seq: count().description('The newest event that it holds'),
      markets: Joi.array()
        .items(
          Joi.object({
            ...marketFields,
            volume24h: amount('Trade volume of the running hour and the 23 before'),
          }),
        )
        .required(),
      totals: Joi.object<View.FeedView['totals'], true>({
        openMarkets: count().description('All that match, listed or not'),
        volume: amount('Of the markets listed'),
        volume24h: amount('Of the markets listed'),
      }).required(),
    }),
    OracleAnswer: Joi.object<View.OracleAnswerView, true>({
      question: text(),
      outcome: outcome(),
      probability: probability('Of YES'),
      confidence: probability('Of the oracle in its answer'),
      agreement: probability('Share of the votes that agree with the outcome'),
      citations: Joi.array()
        .items(
          Joi.object<View.OracleCitationView, true>({
            url: text(),
            title: nullableText(),
            quote: nullableText(),
            publishedAt: nullableText(),
            retrievedAt: nullableText(),
          }),
        )
        .required(),
      reasoning: Joi.string().allow('').required(),
      votes: Joi.array()
        .items(
          Joi.object<View.OracleVoteView, true>({
            oracle: text(),
            outcome: outcome(),
            probability: probability('Of YES'),
            confidence: probability('Of this oracle'),
            latencyMs: Joi.number().min(0).required(),
          }),
        )
        .required(),
      asOf: instant('When the oracle was asked'),
    }),
    Payment: payment,
    PaymentList: Joi.object<View.PaymentListView, true>({
      payments: Joi.array().items(payment).required(),
      limit: id(),
      offset: count(),
      hasMore: Joi.boolean().required(),
    }),
  } as const;
}
