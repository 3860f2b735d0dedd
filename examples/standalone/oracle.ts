/** Makes the oracle that the settings name: models behind one server, or operators. */
import type { Oracle } from 'express-prediction-market';
import { consensusOracle } from 'express-prediction-market/oracle/consensus';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { openaiOracle } from 'express-prediction-market/oracle/openai';
import type { OracleChoice } from './oracle-settings';

export function createOracle(choice: OracleChoice): Oracle {
  if (choice.kind === 'manual') return manualOracle();
  const { baseUrl, apiKey, api, models } = choice;
  const oracles = models.map((model) =>
    openaiOracle({ baseUrl, model, api, ...(apiKey !== undefined && { apiKey }) }),
  );
  // A single model is asked through `consensusOracle` too, so that its votes are counted by the same rule.
  return consensusOracle({ oracles });
}
