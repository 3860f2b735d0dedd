import type { Environment } from '../examples/standalone/checks';
import { decoded } from '../examples/standalone/scrub';

/** Variables whose values must not appear in output. Drivers put addresses and passwords into their errors. */
const SECRET_NAMES =
  /(TOKEN|PRIVATE_KEY|API_KEY|PASSWORD|SECRET)$|^(DATABASE_URL|REDIS_URL|RPC_URL|FACILITATOR_URL)$/;
/** Shorter texts may be ordinary words. */
const SHORTEST_SECRET = 8;

export const isSecretName = (name: string): boolean => SECRET_NAMES.test(name);

/**
 * The texts of the environment that must not be printed: the values of secret variables. Of an address, only the
 * password is such a text, and with http or https also the path and the query.
 */
export function secretsOfEnvironment(environment: Environment): string[] {
  return Object.entries(environment)
    .filter(([name]) => isSecretName(name))
    .flatMap(([, value = '']) => secretsIn(value.trim()))
    .filter((secret) => secret.length >= SHORTEST_SECRET);
}

function secretsIn(value: string): string[] {
  if (!value.includes('://') || !URL.canParse(value)) return value.startsWith('sqlite:') ? [] : [value];
  const { password, search, pathname, protocol } = new URL(value);
  const path = protocol.startsWith('http') ? [pathname.slice(1), search.slice(1)] : [];
  return [password, decoded(password), ...path];
}
