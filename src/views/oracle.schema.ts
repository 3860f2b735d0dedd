import Joi from 'joi';
import { ORACLE_OUTCOMES } from '../domain/oracle/vote';
import { instant, nullableText, oneOf, probability, text } from './fields.schema';
import type { OracleAnswerView, OracleCitationView, OracleVoteView } from './oracle';

export const oracleOutcome = (): Joi.StringSchema => oneOf(ORACLE_OUTCOMES);

export const citation = Joi.object<OracleCitationView, true>({
  url: text(),
  title: nullableText(),
  quote: nullableText(),
  publishedAt: nullableText(),
  retrievedAt: nullableText(),
});

const vote = Joi.object<OracleVoteView, true>({
  oracle: text(),
  outcome: oracleOutcome(),
  probability: probability('Of YES'),
  confidence: probability('Of this oracle'),
  latencyMs: Joi.number().min(0).required(),
  error: Joi.string().description('The voter failed; its other figures then say nothing'),
});

export const oracleAnswer = Joi.object<OracleAnswerView, true>({
  question: text(),
  outcome: oracleOutcome(),
  probability: probability('Of YES'),
  confidence: probability('Of the oracle in its answer'),
  agreement: probability('Share of the votes that agree with the outcome'),
  citations: Joi.array().items(citation).required(),
  reasoning: Joi.string().allow('').required(),
  votes: Joi.array().items(vote).required(),
  asOf: instant('When the oracle was asked'),
});
