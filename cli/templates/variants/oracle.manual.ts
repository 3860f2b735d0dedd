import type { Oracle } from 'express-prediction-market';
import { manualOracle } from 'express-prediction-market/oracle/manual';

/** Operators resolve the markets: POST /api/v2/admin/markets/:id/resolve. */
export function createOracle(): Oracle {
  return manualOracle();
}
