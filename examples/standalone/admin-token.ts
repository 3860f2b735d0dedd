/** The tokens of operators and of the metrics. */
import { randomBytes } from 'node:crypto';
import { parseOperatorTokens, type OperatorTokens } from 'express-prediction-market';
import { together, wrong, type Variables } from './checks';

export interface TokenSettings {
  /** The operators' token without a name. */
  adminToken: string | null;
  /** The tokens of operators by the names that stand in the operators' log. */
  adminTokens: OperatorTokens | null;
  /** The token of `GET /metrics`. `null`: the metrics are served without a token. */
  metricsToken: string | null;
}

const SHORTEST_TOKEN = 16;

export function readTokens(value: Variables): TokenSettings {
  const tokens = together({
    adminToken: () => token('ADMIN_TOKEN', value('ADMIN_TOKEN')),
    adminTokens: () => namedTokens('ADMIN_TOKENS', value('ADMIN_TOKENS')),
    metricsToken: () => token('METRICS_TOKEN', value('METRICS_TOKEN')),
  });
  const { adminToken, adminTokens } = tokens;
  if (adminToken !== null && Object.values(adminTokens ?? {}).includes(adminToken))
    throw wrong('ADMIN_TOKENS', 'contains the token of ADMIN_TOKEN: give each name a token of its own');
  return tokens;
}

function token(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (text.length < SHORTEST_TOKEN || !/^[\x21-\x7e]+$/.test(text))
    throw wrong(name, `expected at least ${SHORTEST_TOKEN} printable characters without spaces`);
  return text;
}

function namedTokens(name: string, text: string | undefined): OperatorTokens | null {
  try {
    return parseOperatorTokens(text) ?? null;
  } catch (error) {
    throw wrong(name, error instanceof Error ? error.message : 'expected alice:TOKEN,bob:TOKEN');
  }
}

/** The operators' token without a name. The server makes one if the settings name no token of operators. */
export const unnamedToken = ({ adminToken, adminTokens }: TokenSettings): string | null =>
  adminToken ?? (adminTokens === null ? newAdminToken() : null);

const newAdminToken = (): string => randomBytes(24).toString('base64url');
