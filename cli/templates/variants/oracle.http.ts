import type { Oracle } from 'express-prediction-market';
import { httpOracle } from 'express-prediction-market/oracle/http';
import { optional, required } from './settings.ts';

/**
 * Your own service answers. The secret signs the questions by the rules of Standard Webhooks. A service of the
 * local network, or one without https, needs ORACLE_ALLOW_PRIVATE=1.
 */
export function createOracle(): Oracle {
  return httpOracle({
    url: required('ORACLE_URL'),
    secret: required('ORACLE_SECRET'),
    allowPrivate: optional('ORACLE_ALLOW_PRIVATE') === '1',
  });
}
