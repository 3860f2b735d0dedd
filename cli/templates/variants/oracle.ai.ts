import type { Oracle } from 'express-prediction-market';
import { aiOracle } from 'express-prediction-market/oracle/ai';
import { consensusOracle } from 'express-prediction-market/oracle/consensus';
import { requiredList } from './settings.ts';

/**
 * Models of the AI SDK vote. The names are those of the SDK's gateway, which reads AI_GATEWAY_API_KEY. For
 * another provider, install its package and give its models, such as anthropic('claude-sonnet-4-5'). Two or more
 * decide when they agree with confidence. A single one only proposes, and operators decide.
 */
export function createOracle(): Oracle {
  const oracles = requiredList('ORACLE_MODELS').map((model) => aiOracle({ model }));
  return consensusOracle({ oracles });
}
