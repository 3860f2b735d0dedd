import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { EVENT_NAMES } from '../../src/domain/events';
import type { AsyncApiDocument } from '../../src/http/asyncapi/document';
import { parseClientCommand } from '../../src/schemas/live';
import { expectMessage } from '../support/expect-message';
import { API, createService, type Service } from './support/service';

let service: Service;
let document: AsyncApiDocument;
beforeAll(async () => {
  service = await createService({
    serviceName: 'A <b>"Market"</b>',
    baseUrl: 'https://example.org/exchange',
  });
  document = (await service.call('get', `${API}/asyncapi.json`)).body as AsyncApiDocument;
});
afterAll(() => service.close());

function standard(): ValidateFunction {
  const text = readFileSync(require.resolve('@asyncapi/specs/schemas/3.0.0.json'), 'utf8');
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  const { definitions, ...schema } = JSON.parse(text) as { definitions: Record<string, unknown> };
  const own = Object.entries(definitions).filter(([id]) => !id.startsWith('http://json-schema.org/'));
  return ajv.compile({ ...schema, definitions: Object.fromEntries(own) });
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('$ref' in value && typeof value.$ref === 'string') return [value.$ref];
  return Object.values(value).flatMap(referencesIn);
}

function resolve(reference: string): unknown {
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);
}

describe('the AsyncAPI document', () => {
  it('is valid by the schema of the standard', () => {
    const validate = standard();
    expect(validate(document) ? [] : validate.errors).toEqual([]);
    const { trades, ...channels } = document.channels;
    expect(validate({ ...document, channels: { ...channels, trades: { ...trades, address: 7 } } })).toBe(
      false,
    );
    expect(validate({ ...document, operations: { nonsense: { action: 'shout' } } })).toBe(false);
  });

  it('refers only to what it has', () => {
    const references = new Set(referencesIn(document));
    expect(references.size).toBeGreaterThan(50);
    for (const reference of references)
      expect([reference, typeof resolve(reference)]).toEqual([reference, 'object']);
  });

  it('has the channels of docs/live.md, each with its events', () => {
    const events = (key: string) =>
      Object.values(document.operations)
        .filter(({ channel }) => channel.$ref === `#/channels/${key}`)
        .flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1)));
    const told = Object.fromEntries(
      Object.entries(document.channels).map(([key, { address }]) => [address, events(key)]),
    );
    const markets = ['created', 'resolving', 'proposed', 'resolved', 'escalated'].map(
      (name) => `market.${name}`,
    );
    expect(told).toMatchObject({
      markets,
      trades: ['trade'],
      prices: ['price'],
      'market:{id}': [...markets, 'trade'],
      account: ['account.trade', 'account.settlement', 'account.balance', 'creator.updated'],
    });
    expect(Object.keys(document.components.messages)).toEqual(expect.arrayContaining([...EVENT_NAMES]));
  });

  it('names the servers by the address of this service', () => {
    expect(document.servers).toMatchObject({
      websocket: { host: 'example.org', pathname: '/exchange/api/v2/ws', protocol: 'wss' },
      stream: { host: 'example.org', pathname: '/exchange/api/v2/stream', protocol: 'https' },
    });
  });

  it('has examples of every message, which are as declared', () => {
    for (const { name, examples } of Object.values(document.components.messages)) {
      expect([name, examples.length > 0]).toEqual([name, true]);
      for (const { payload } of examples) {
        if ('op' in (payload as object)) expect(parseClientCommand(payload)).toEqual(payload);
        else expectMessage(payload);
      }
    }
  });
});

describe('the page of the live feed', () => {
  it('names every channel and message, asks for nothing from outside, and lives under a strict policy', async () => {
    const response = await service.call('get', `${API}/docs/live`);
    expect(response.status).toBe(200);
    expect(response.type).toBe('text/html');
    expect(String(response.headers['content-security-policy'])).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    // Without the empty icon, browsers would ask for /favicon.ico.
    const besideIcon = response.text.replace('<link rel="icon" href="data:,">', '');
    expect(besideIcon).not.toMatch(/<script|<link|<img|src=|@import|url\(|style="/i);
    const names = Object.keys(document.components.messages);
    const addresses = Object.values(document.channels).flatMap(({ address }) => address ?? []);
    for (const name of [...names, ...addresses]) expect(response.text).toContain(`<code>${name}</code>`);
    expect(response.text).toContain('<code>wss://example.org/exchange/api/v2/ws</code>');
    expect(response.text).not.toContain('<b>');
  });

  it('and the API reference name each other', async () => {
    const reference = await service.call('get', `${API}/docs`);
    expect(reference.text).toContain('href="docs/live"');
    expect((await service.call('get', `${API}/docs/live`)).text).toContain('href="../docs"');
  });
});

it('without the option `baseUrl` the servers are those that the request and the host name', async () => {
  const plain = await createService();
  const answer = await plain.call('get', `${API}/asyncapi.json`, { headers: { Host: 'market.test:8080' } });
  expect((answer.body as AsyncApiDocument).servers).toMatchObject({
    websocket: { host: 'market.test:8080', pathname: '/api/v2/ws', protocol: 'ws' },
  });
  plain.pm.attachWebSocket(createServer(), { path: '/live' });
  const moved = await plain.call('get', `${API}/asyncapi.json`, { headers: { Host: 'market.test:8080' } });
  expect((moved.body as AsyncApiDocument).servers['websocket']).toMatchObject({ pathname: '/live' });
  const refused = await plain.call('get', `${API}/asyncapi.json`, { headers: { Host: 'no host' } });
  expect(refused.status).toBe(400);
  await plain.close();
});
