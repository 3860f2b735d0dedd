import Joi from 'joi';
import { ORACLE_OUTCOMES } from '../domain/oracle/vote';
import { instant, nullableText, oneOf, probability, text } from './fields.schema';
import type { OracleAnswerView, OracleCitationView, OracleVoteView } from './oracle';

export const oracleOutcome = (): Joi.StringSchema =>
  oneOf(ORACLE_OUTCOMES).description('What is answered; only YES and NO can decide a market');

export const citation = Joi.object<OracleCitationView, true>({
  url: text().description('The address of the source'),
  title: nullableText().description('The title of the source'),
  quote: nullableText().description('The words of the source'),
  publishedAt: nullableText().description('When the source was published, as the voter says'),
  retrievedAt: nullableText().description('When the voter read the source, as the voter says'),
});

export const latencyMs = (): Joi.NumberSchema =>
  Joi.number().min(0).required().description('How long the voter took, in milliseconds');

const vote = Joi.object<OracleVoteView, true>({
  oracle: text().description('The name of the voter'),
  outcome: oracleOutcome(),
  probability: probability('Probability of YES'),
  confidence: probability('Confidence of this voter'),
  latencyMs: latencyMs(),
  error: Joi.string().description('Set if the voter has failed; its other figures then mean nothing'),
});

export const oracleAnswer = Joi.object<OracleAnswerView, true>({
  question: text().description('The question that was asked'),
  outcome: oracleOutcome(),
  probability: probability('Probability of YES'),
  confidence: probability('Confidence of the oracle in its answer'),
  agreement: probability('Share of the votes that agree with the outcome'),
  citations: Joi.array().items(citation).required(),
  reasoning: Joi.string().allow('').required().description('Why, in the words of the oracle'),
  votes: Joi.array().items(vote).required(),
  asOf: instant('When the oracle was asked'),
});
