import { readFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core';
import { readSettings } from '../../examples/standalone/settings';

interface Compose {
  services: Record<string, { environment: Record<string, string> }>;
}

const { services } = parseYaml(readFileSync('compose.yaml', 'utf8')) as Compose;

function environmentOf(service: string, given: Record<string, string>): Record<string, string> {
  const entries = Object.entries(services[service]?.environment ?? {});
  return Object.fromEntries(
    entries.map(([name, text]) => [
      name,
      text.replace(
        /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
        (_match, variable: string, usual = '') => given[variable] ?? usual,
      ),
    ]),
  );
}

function documentedVariables(): string[] {
  const items = readFileSync('docs/standalone.md', 'utf8').match(/^- `[A-Z][^:(]*/gm) ?? [];
  return items.flatMap((item) => [...item.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name));
}

describe.each(['market-1', 'market-2'])('the service %s of compose.yaml', (service) => {
  it('has each variable that docs/standalone.md names', () => {
    const environment = environmentOf(service, {});
    const documented = documentedVariables();
    expect(documented).toEqual(
      expect.arrayContaining(['HOST', 'METRICS_TOKEN', 'ASSET_VERSION', 'ORACLE_API']),
    );
    expect(documented.filter((name) => !Object.hasOwn(environment, name))).toEqual([]);
  });

  it('passes the value that the caller of docker compose gives', () => {
    const fixed = ['HOST', 'PORT', 'DATABASE_URL', 'REDIS_URL', 'TRUST_PROXY'];
    const variables = documentedVariables().filter((name) => !fixed.includes(name));
    const given = Object.fromEntries(variables.map((name) => [name, `the ${name}`]));
    expect(environmentOf(service, given)).toMatchObject(given);
  });

  it('starts with the defaults of the server where the caller gives no value', () => {
    const required = { POSTGRES_PASSWORD: 'a-password', ADMIN_TOKEN: 'a-token-of-operators' };
    const fixed = { HOST: '0.0.0.0', PORT: '3000', TRUST_PROXY: '1', BASE_URL: 'http://localhost:3000' };
    const expected = readSettings({
      ...fixed,
      ADMIN_TOKEN: required.ADMIN_TOKEN,
      DATABASE_URL: 'postgres://market:a-password@postgres:5432/market',
      REDIS_URL: 'redis://redis:6379',
    });
    expect(readSettings(environmentOf(service, required))).toEqual(expected);
  });
});
