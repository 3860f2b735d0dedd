import { createConfig, lintFromString } from '@redocly/openapi-core';
import { WEBHOOK_EVENTS } from '../../src/domain/webhooks';
import type { OpenApiDocument } from '../../src/http/openapi/document';
import { API, OPS, createService, type Service } from './support/service';

let service: Service;
let document: OpenApiDocument;
let operators: OpenApiDocument;
beforeAll(async () => {
  service = await createService({
    serviceName: 'A <b>"Market"</b>',
    baseUrl: 'https://example.org/exchange',
  });
  document = (await service.call('get', `${API}/openapi.json`)).body as OpenApiDocument;
  operators = (await service.call('get', `${OPS}/openapi.json`)).body as OpenApiDocument;
});
afterAll(() => service.close());

/** Rules that decide whether a document is valid OpenAPI. Rules about style are off. */
const LINT_RULES = [
  'struct',
  'no-unresolved-refs',
  'no-ambiguous-paths',
  'no-identical-paths',
  'operation-operationId-unique',
  'operation-parameters-unique',
  'path-parameters-defined',
  'path-declaration-must-exist',
  'security-defined',
  'no-invalid-schema-examples',
  'no-required-schema-properties-undefined',
] as const;

async function lint(subject: object): Promise<{ rule: string; message: string }[]> {
  const rules = Object.fromEntries(LINT_RULES.map((rule) => [rule, 'error' as const]));
  const config = await createConfig({ extends: [], rules });
  const source = JSON.stringify(subject);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message }) => ({ rule: ruleId, message }));
}

const BROKEN = {
  openapi: '3.1.0',
  info: { title: 'Broken', version: '1' },
  paths: {
    nonsense: {},
    '/a/{}': {},
    '/a/{x}': {
      get: {
        operationId: 'same',
        security: [{ unknown: [] }],
        parameters: [
          { name: 'q', in: 'query', schema: { type: 'string', example: 5 } },
          { name: 'q', in: 'query', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: '',
            content: { 'application/json': { schema: { type: 'object', required: ['b'], properties: {} } } },
          },
        },
      },
      post: { operationId: 'same', responses: { 200: { $ref: '#/nowhere' } } },
    },
    '/a/{y}': {},
  },
};

describe('the OpenAPI document', () => {
  it('is valid by a public validator, for callers and for operators', async () => {
    for (const subject of [document, operators]) expect(await lint(subject)).toEqual([]);
  });

  it('would be found invalid by each rule of that validator', async () => {
    const found = new Set((await lint(BROKEN)).map(({ rule }) => rule));
    expect([...found].sort()).toEqual([...LINT_RULES].sort());
  });

  it('has every endpoint', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.slice(API.length)}`),
    );
    expect(operations.sort()).toEqual([
      'get /asyncapi.json',
      'get /auth/keys',
      'get /creator/status',
      'get /docs',
      'get /docs/live',
      'get /health',
      'get /openapi.json',
      'get /public/balance',
      'get /public/creator/earnings',
      'get /public/deposits',
      'get /public/limits',
      'get /public/markets',
      'get /public/markets/{id}',
      'get /public/markets/{id}/history',
      'get /public/markets/{id}/price',
      'get /public/markets/{id}/resolution',
      'get /public/markets/{id}/trades',
      'get /public/positions',
      'get /public/positions/history',
      'get /public/withdrawals',
      'get /public/withdrawals/{id}',
      'get /ready',
      'get /stream',
      'get /x402/feed',
      'get /x402/info',
      'get /x402/oracle/resolve',
      'post /auth/challenge',
      'post /auth/keys/{id}/regenerate',
      'post /auth/keys/{id}/revoke',
      'post /auth/token',
      'post /creator/apply',
      'post /public/markets',
      'post /public/markets/{id}/trade',
      'post /public/withdrawals',
      'post /x402/deposit',
      'post /x402/markets',
    ]);
  });

  it('names the headers of a 402, as a copy of a payment at work gets Retry-After', () => {
    const paid = document.paths['/api/v2/x402/feed']?.get as {
      responses: Record<string, { headers: object }>;
    };
    expect(Object.keys(paid.responses['402']?.headers ?? {})).toEqual(['PAYMENT-REQUIRED', 'Retry-After']);
  });

  it('has what webhooks get, for the receivers', () => {
    expect(Object.keys(document.webhooks)).toEqual([...WEBHOOK_EVENTS]);
    expect(document.webhooks['trade']?.post.parameters?.map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
  });

  it('shows what the schemas of the inputs demand', () => {
    const list = document.paths[`${API}/public/markets`]?.get;
    expect(list?.parameters?.map((parameter) => parameter.name).sort()).toEqual([
      'category',
      'limit',
      'offset',
      'q',
      'sort',
      'status',
    ]);
    const body =
      document.paths[`${API}/public/markets`]?.post?.requestBody?.content['application/json']?.schema;
    expect(body).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: { question: { type: 'string' }, resolveDate: { type: 'string' } },
    });
    expect(document.paths[`${API}/public/markets/{id}/trade`]?.post?.parameters).toMatchObject([
      { name: 'id', in: 'path', required: true },
      { name: 'Idempotency-Key', in: 'header', required: false },
    ]);
    expect(document.servers).toEqual([{ url: '/exchange' }]);
  });

  it('refers to shapes by name', () => {
    const schemas = document.components.schemas as Record<string, { properties: Record<string, unknown> }>;
    expect(schemas.MarketList?.properties.markets).toMatchObject({
      items: { $ref: '#/components/schemas/Market' },
    });
    expect(schemas.TradeList?.properties.trades).toMatchObject({
      items: { $ref: '#/components/schemas/Trade' },
    });
  });
});

describe('the reference page', () => {
  it('names every path, asks for nothing from outside, and lives under a strict policy', async () => {
    const response = await service.call('get', `${API}/docs`);
    expect(response.status).toBe(200);
    expect(response.type).toBe('text/html');
    const policy = String(response.headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; img-src data:; base-uri 'none'; /,
    );
    // Without the empty icon, browsers would ask for /favicon.ico.
    const besideIcon = response.text.replace('<link rel="icon" href="data:,">', '');
    expect(besideIcon).not.toMatch(/<script|<link|<img|src=|@import|url\(|style="/i);
    for (const path of Object.keys(document.paths)) expect(response.text).toContain(`<code>${path}</code>`);
    expect(response.text).not.toContain('<b>');
  });
});
