import type { Oracle } from 'express-prediction-market';
import { httpOracle } from 'express-prediction-market/oracle/http';
import { required } from './settings.ts';

/** Your own service answers. The secret signs the questions by the rules of Standard Webhooks. */
export function createOracle(): Oracle {
  return httpOracle({ url: required('ORACLE_URL'), secret: required('ORACLE_SECRET') });
}
