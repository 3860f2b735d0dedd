import type { Oracle } from 'express-prediction-market';
import { consensusOracle } from 'express-prediction-market/oracle/consensus';
import { openaiOracle } from 'express-prediction-market/oracle/openai';
import { HTTP_URL, optional, required, requiredList } from './settings.ts';

/**
 * Models behind an OpenAI-compatible server vote. Two or more decide when they agree with confidence. A single
 * one only proposes, and operators decide.
 */
export function createOracle(): Oracle {
  const baseUrl = required('ORACLE_BASE_URL', HTTP_URL);
  const apiKey = optional('ORACLE_API_KEY');
  const oracles = requiredList('ORACLE_MODELS').map((model) =>
    openaiOracle({ baseUrl, model, ...(apiKey !== undefined && { apiKey }) }),
  );
  return consensusOracle({ oracles });
}
