import Joi from 'joi';
import type { FieldError } from '../domain/errors';
import { PAYMENT_STATUSES } from '../domain/payments';
import type { CreateMarketInput, MarketFeedInput, MarketQuestionInput, QuestionInput } from '../inputs';
import type { ListPaymentsInput, PaymentDecisionInput } from '../operator-inputs';
import type {
  AskQuestionCommand,
  CreateMarketCommand,
  DecidePaymentCommand,
  MarketFeedCommand,
  ListPaymentsCommand,
} from '../usecases/commands';
import { cappedLimit, categoryFilter, LONGEST_REASON, oneOf, pageFields, toCommand } from './common';
import { inputSchema } from './input';
import type { Rules } from './rules';
import { createFields, criteriaText, questionText } from './markets';
import { positiveAmount } from './money';
import { line, transactionHash } from './text';

const MOST_MARKETS = 100;

export const marketFeedQuery = inputSchema<MarketFeedInput, MarketFeedCommand>(
  { category: categoryFilter(), limit: cappedLimit(MOST_MARKETS, MOST_MARKETS) },
  { category: null },
);

type QuestionFields = Partial<QuestionInput & MarketQuestionInput>;

function questionMismatches({
  marketId,
  question,
  resolutionCriteria,
}: Partial<AskQuestionCommand>): FieldError[] {
  if (marketId === undefined) {
    return question === undefined ? [{ field: 'question', message: 'question or marketId is required' }] : [];
  }
  const message = 'A market brings its own question: leave question and resolutionCriteria out';
  return question === undefined && resolutionCriteria === undefined ? [] : [{ field: 'marketId', message }];
}

export const questionQuery = inputSchema<QuestionFields, AskQuestionCommand>(
  {
    question: questionText(),
    resolutionCriteria: criteriaText().description('What decides the answer'),
    marketId: Joi.number()
      .integer()
      .min(1)
      .description('Asks the question of this market, instead of question'),
  },
  { marketId: null, question: null, resolutionCriteria: null },
  questionMismatches,
);

type MarketFields = Omit<CreateMarketCommand, 'creator'>;
type PaidMarketInput = Omit<CreateMarketInput, 'creator' | 'resolutionCriteria'> & {
  resolutionCriteria?: string;
};

/** Like `createMarketBody`, but the payer may leave the criteria out. Then the question alone decides. */
export const paidMarketBody = inputSchema<PaidMarketInput, MarketFields>(
  {
    ...createFields,
    resolutionCriteria: criteriaText().description(
      'What decides the outcome; the question itself when left out',
    ),
  },
  { description: null },
).custom(
  toCommand((fields: Partial<MarketFields> & Pick<MarketFields, 'question'>) => ({
    ...fields,
    resolutionCriteria: fields.resolutionCriteria ?? fields.question,
  })),
);

export const paidDepositBody: Joi.ObjectSchema<{ amount: bigint }> = Joi.object({
  amount: positiveAmount().required().description('USD: what the 402 answer asks for, and what is credited'),
});

export const listPaymentsQuery = inputSchema<ListPaymentsInput, ListPaymentsCommand>(
  {
    status: oneOf(PAYMENT_STATUSES).description('All when left out'),
    ...pageFields,
  },
  { status: null },
);

type Decision = Omit<DecidePaymentCommand, 'verdict'>;

const decisionFields: Rules<Omit<PaymentDecisionInput, 'id'>> = {
  transaction: transactionHash().description('Hash of the transaction that was to move the money'),
  reason: line(LONGEST_REASON).required().description('How the operator knows; kept with the payment'),
};

export const decidePaymentBody = inputSchema<Omit<PaymentDecisionInput, 'id'>, Omit<Decision, 'id'>>(
  decisionFields,
  { transaction: null },
);
export const decidePaymentInput = inputSchema<PaymentDecisionInput, Decision>(
  { ...decisionFields, id: Joi.number().integer().min(1).required() },
  { transaction: null },
);
