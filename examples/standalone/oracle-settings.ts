/**
 * Chooses who resolves markets (docs/standalone.md): models behind a server that speaks the OpenAI protocol, or
 * operators.
 */
import { integer, serviceUrl, SettingsError, together, unexpected, wrong, type Variables } from './checks';

export interface ModelJudges {
  kind: 'models';
  /** The address of the server, before `/chat/completions` or `/responses`. */
  baseUrl: string;
  apiKey: string | undefined;
  models: string[];
  api: 'chat' | 'responses';
}

export type OracleChoice = { kind: 'manual' } | ModelJudges;

export interface OracleSettings {
  oracle: OracleChoice;
  /** The fewest models that have to vote. With fewer models, their outcome is only a proposal. */
  minVoters: number;
  /** How long winners wait for their money after the models have decided. With 0, they are paid at once. */
  challengePeriodMs: number;
}

const MOST_MODELS = 15;
/** Variables that mean nothing without ORACLE_MODELS. */
const OF_MODELS = ['ORACLE_BASE_URL', 'ORACLE_API_KEY', 'ORACLE_API', 'ORACLE_MIN_VOTERS'];
const NEEDS_MODELS = 'needs ORACLE_MODELS beside it: the names of the models, separated by commas';
const THIRTY_DAYS = 30 * 86_400_000;

export function readOracleSettings(value: Variables): OracleSettings {
  return together({
    oracle: () => oracleChoice(value),
    minVoters: () => integer('ORACLE_MIN_VOTERS', value('ORACLE_MIN_VOTERS'), 2, 1, MOST_MODELS),
    challengePeriodMs: () => integer('CHALLENGE_PERIOD_MS', value('CHALLENGE_PERIOD_MS'), 0, 0, THIRTY_DAYS),
  });
}

function oracleChoice(value: Variables): OracleChoice {
  const { models, address, apiKey, api } = together({
    models: () => modelsOf(value('ORACLE_MODELS')),
    address: () => serviceUrl('ORACLE_BASE_URL', value('ORACLE_BASE_URL')),
    apiKey: () => apiKeyOf(value('ORACLE_API_KEY')),
    api: () => apiOf(value('ORACLE_API')),
  });
  if (models.length === 0) {
    const unused = OF_MODELS.filter((name) => value(name) !== undefined);
    if (unused.length === 0) return { kind: 'manual' };
    throw new SettingsError(unused.map((name) => `${name}: ${NEEDS_MODELS}`));
  }
  if (address === undefined)
    throw wrong('ORACLE_MODELS', 'needs ORACLE_BASE_URL beside it: the server of the models');
  if (address.search !== '' || address.hash !== '' || address.username !== '' || address.password !== '')
    throw wrong(
      'ORACLE_BASE_URL',
      'expected an address without credentials, query or fragment; a key belongs in ORACLE_API_KEY',
    );
  return { kind: 'models', baseUrl: address.href.replace(/\/+$/, ''), apiKey, models, api };
}

function modelsOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const models = text.split(',').map((model) => model.trim());
  const areNames = models.every((model) => /^[\x20-\x7e]{1,100}$/.test(model));
  if (!areNames || new Set(models).size !== models.length || models.length > MOST_MODELS)
    throw unexpected('ORACLE_MODELS', `1 to ${MOST_MODELS} different names, separated by commas`, text);
  return models;
}

function apiKeyOf(text: string | undefined): string | undefined {
  if (text === undefined || /^[\x21-\x7e]+$/.test(text)) return text;
  throw wrong('ORACLE_API_KEY', 'expected printable characters without spaces');
}

function apiOf(text: string | undefined): 'chat' | 'responses' {
  if (text === undefined || text === 'chat') return 'chat';
  if (text === 'responses') return 'responses';
  throw unexpected('ORACLE_API', 'chat or responses', text);
}

/**
 * The texts that logs must not show. A key of fewer than 8 characters is left out, because it may be an ordinary word.
 */
export function secretsOfOracle({ oracle }: OracleSettings): string[] {
  if (oracle.kind === 'manual' || oracle.apiKey === undefined) return [];
  return oracle.apiKey.length >= 8 ? [oracle.apiKey] : [];
}
