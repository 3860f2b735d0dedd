import type { Oracle } from 'express-prediction-market';
import { httpOracle } from 'express-prediction-market/oracle/http';
import { HTTP_URL, HTTPS_URL, optional, required, type Shape } from './settings.ts';

const SECRET: Shape = {
  pattern: /^whsec_[\w+/=]+$/,
  expected: 'must be whsec_ and 24 to 64 bytes in base64',
};

const PUBLIC_URL: Shape = {
  pattern: HTTPS_URL.pattern,
  expected: `${HTTPS_URL.expected}, or ORACLE_ALLOW_PRIVATE must be 1`,
};

/**
 * Your own service answers. The secret signs the questions by the rules of Standard Webhooks. A service of the
 * local network, or one without https, needs ORACLE_ALLOW_PRIVATE=1.
 */
export function createOracle(): Oracle {
  const allowPrivate = optional('ORACLE_ALLOW_PRIVATE') === '1';
  const url = required('ORACLE_URL', allowPrivate ? HTTP_URL : PUBLIC_URL);
  const secret = required('ORACLE_SECRET', SECRET);
  return httpOracle({
    url,
    secret,
    allowPrivate,
  });
}
