/** Pay per request: what each paid call takes, and the operators' list of payments. */
import Joi from 'joi';
import type { FieldError } from '../domain/errors';
import { PAYMENT_STATUSES } from '../domain/payments';
import { CATEGORIES } from '../domain/types';
import type {
  AskQuestionCommand,
  CreateMarketCommand,
  DecidePaymentCommand,
  FeedCommand,
  ListPaymentsCommand,
} from '../usecases/commands';
import { absentAsNull, cappedLimit, categoryFilter, pageFields, toCommand } from './common';
import { positiveAmount } from './money';
import { instant, line, paragraphs } from './text';

const MOST_MARKETS = 100;

const feedFields = Joi.object({
  category: categoryFilter(),
  limit: cappedLimit(MOST_MARKETS, MOST_MARKETS),
}).custom(absentAsNull('category'));

export const feedQuery: Joi.ObjectSchema<FeedCommand> = feedFields;

interface QuestionFields {
  marketId?: number;
  question?: string;
  resolutionCriteria?: string;
}

function questionMismatches({ marketId, question, resolutionCriteria }: QuestionFields): FieldError[] {
  if (marketId === undefined) {
    return question === undefined ? [{ field: 'question', message: 'question or marketId is required' }] : [];
  }
  const message = 'A market brings its own question: leave question and resolutionCriteria out';
  return question === undefined && resolutionCriteria === undefined ? [] : [{ field: 'marketId', message }];
}

const questionFields = Joi.object({
  question: line(280).description('A question to be answered with yes or no'),
  resolutionCriteria: paragraphs(1000).description('What decides the answer'),
  marketId: Joi.number().integer().min(1).description('Instead of a question: the one of this market'),
}).custom(
  toCommand(
    ({ marketId, question, resolutionCriteria }: QuestionFields): AskQuestionCommand => ({
      marketId: marketId ?? null,
      question: question ?? null,
      resolutionCriteria: resolutionCriteria ?? null,
    }),
    questionMismatches,
  ),
);

export const questionQuery: Joi.ObjectSchema<AskQuestionCommand> = questionFields;

type MarketFields = Omit<CreateMarketCommand, 'creator'>;

/** As `createMarketBody`, but for the criteria: the client of SPEC may leave them out, and the question stands for itself. */
export const paidMarketBody: Joi.ObjectSchema<MarketFields> = Joi.object({
  question: line(280).required().description('A question to be answered with yes or no'),
  description: paragraphs(2000).description('Markdown'),
  resolutionCriteria: paragraphs(1000).description(
    'What decides the outcome; the question itself when left out',
  ),
  resolveDate: instant().required().description('When trading ends: ISO 8601, at least 1 hour in the future'),
  category: Joi.string()
    .valid(...CATEGORIES)
    .required(),
}).custom(
  toCommand((fields: Partial<MarketFields> & Pick<MarketFields, 'question'>) => ({
    ...fields,
    description: fields.description ?? null,
    resolutionCriteria: fields.resolutionCriteria ?? fields.question,
  })),
);

export const paidDepositBody: Joi.ObjectSchema<{ amount: bigint }> = Joi.object({
  amount: positiveAmount().required().description('USD: what the 402 answer asks for, and what is credited'),
});

export const listPaymentsQuery: Joi.ObjectSchema<ListPaymentsCommand> = Joi.object({
  status: Joi.string()
    .valid(...PAYMENT_STATUSES)
    .description('All when left out'),
  ...pageFields,
}).custom(absentAsNull('status'));

const LONGEST_REASON = 500;

type DecisionFields = Pick<DecidePaymentCommand, 'transaction' | 'reason'>;

const decisionFields = Joi.object({
  transaction: Joi.string()
    .pattern(/^0x[0-9a-fA-F]{64}$/)
    .description('Hash of the transaction that settled it, or that failed to'),
  reason: line(LONGEST_REASON).required().description('How the operator knows; kept with the payment'),
}).custom(absentAsNull('transaction'));

export const decidePaymentBody: Joi.ObjectSchema<DecisionFields> = decisionFields;
export const decidePaymentInput: Joi.ObjectSchema<Pick<DecidePaymentCommand, 'id'> & DecisionFields> =
  decisionFields.keys({ id: Joi.number().integer().min(1).required() });
