/**
 * Health and documentation. These routes need no key and have no quota, and they answer before `start()` too.
 */
import type { Request } from 'express';
import type { ErrorCode } from '../../domain/errors';
import type { Context } from '../../usecases/context';
import { renderLivePage } from '../asyncapi/page';
import type { HtmlPage } from '../html';
import type { OpenApiDocument } from '../openapi/document';
import { renderPage } from '../openapi/page';
import { ownAddress, ownPath } from '../own-address';
import { API_PREFIX } from '../prefix';
import type { Readiness } from '../readiness';
import { remembersLast } from '../remember-last';
import { defineRoute, type Route } from '../route';
import { JSON_TYPE, RawAnswer } from '../send';

/** The version of the API, not of the package. */
const API_VERSION = '2.0.0';

// These modules are loaded at the first request for a document, so that a process starts faster.
const openApi = () => import('../openapi/document');
const asyncApi = () => import('../asyncapi/document');

export interface DocumentSources {
  readiness(): Promise<Readiness>;
  /** The whole path at which the host has attached sockets. `null` until the host has attached them. */
  socketPath(): string | null;
}

/** `routes` is read at the first request for the document, so the caller can still add routes before that. */
export function documentRoutes(
  context: Context,
  sources: DocumentSources,
  routes: readonly Route[],
): Route[] {
  const document = once(() => documentOf(context, routes));
  const page = once(async () => renderPage(await document()));
  return [
    health(),
    readiness(sources),
    openApiRoute(document, (request) => ownPath(context.config.baseUrl, request)),
    pageRoute('/docs', 'This API as a page to read', [], () => page()),
    ...liveDocumentRoutes(context, sources),
  ];
}

/** The AsyncAPI document names the servers by their addresses, because AsyncAPI has no relative addresses. */
function liveDocumentRoutes({ config }: Context, { socketPath }: DocumentSources): Route[] {
  const build = async (address: string, socketPath: string | null) => {
    const { buildAsyncApi } = await asyncApi();
    return buildAsyncApi({ title: config.serviceName, version: API_VERSION, address, socketPath });
  };
  const jsonFor = remembersLast((address: string, path: string | null) =>
    once(async () => JSON.stringify(await build(address, path))),
  );
  const pageFor = remembersLast((address: string, path: string | null) =>
    once(async () => renderLivePage(await build(address, path))),
  );
  const whereOf = (request: Request): [string, string | null] => [
    ownAddress(config.baseUrl, request),
    publicSocketPath(config.baseUrl, socketPath()),
  ];
  return [
    defineRoute({
      method: 'get',
      path: '/asyncapi.json',
      summary: 'The live feed as an AsyncAPI 3 document',
      group: 'documents',
      success: { status: 200, contentType: 'application/json' },
      errors: ['VALIDATION_ERROR'],
      handler: async ({ request }) => new RawAnswer(200, JSON_TYPE, await jsonFor(...whereOf(request))()),
    }),
    pageRoute('/docs/live', 'The live feed as a page to read', ['VALIDATION_ERROR'], (request) =>
      pageFor(...whereOf(request))(),
    ),
  ];
}

/**
 * The path at which clients open the WebSocket. `null` means the usual path below `baseUrl`. A proxy may have
 * removed the path of `baseUrl` from the requests, so the attached path can be too short.
 */
function publicSocketPath(baseUrl: string | null, attached: string | null): string | null {
  const isUsual = attached?.endsWith(`${API_PREFIX}/ws`) === true;
  return baseUrl !== null && isUsual ? null : attached;
}

function pageRoute(
  path: string,
  summary: string,
  errors: ErrorCode[],
  pageFor: (request: Request) => Promise<HtmlPage>,
): Route {
  return defineRoute({
    method: 'get',
    path,
    summary,
    group: 'documents',
    success: { status: 200, contentType: 'text/html' },
    errors,
    handler: async ({ request }) => pageAnswer(await pageFor(request)),
  });
}

/**
 * The OpenAPI document of the operators' routes. Its server is the mount path of their router. The option
 * `baseUrl` does not apply to that router.
 */
export function operatorsDocumentRoute(context: Context, routes: readonly Route[]): Route {
  const title = `${context.config.serviceName}: operators`;
  const options = { title, version: API_VERSION, prefix: '' };
  return openApiRoute(
    once(async () => (await openApi()).buildDocument(routes, options)),
    (request) => ownPath(null, request),
  );
}

/** The document names its server by a path, which is right for every host name and protocol. */
function openApiRoute(
  document: () => Promise<OpenApiDocument>,
  serverOf: (request: Request) => string,
): Route {
  const jsonFor = remembersLast((url: string) =>
    once(async () => JSON.stringify({ ...(await document()), servers: [{ url }] })),
  );
  return defineRoute({
    method: 'get',
    path: '/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document',
    group: 'documents',
    success: { status: 200, contentType: 'application/json' },
    errors: [],
    handler: async ({ request }) => new RawAnswer(200, JSON_TYPE, await jsonFor(serverOf(request))()),
  });
}

async function documentOf(context: Context, routes: readonly Route[]): Promise<OpenApiDocument> {
  const { buildDocument } = await openApi();
  return buildDocument(routes, {
    title: context.config.serviceName,
    version: API_VERSION,
    prefix: API_PREFIX,
  });
}

function health(): Route {
  return defineRoute({
    method: 'get',
    path: '/health',
    summary: 'Whether the process answers',
    group: 'documents',
    success: { status: 200, view: 'Health' },
    errors: [],
    handler: () => ({ status: 'ok' }),
  });
}

function readiness(sources: DocumentSources): Route {
  return defineRoute({
    method: 'get',
    path: '/ready',
    summary: 'Whether the storage and the jobs work',
    group: 'documents',
    success: { status: 200, view: 'Readiness' },
    errors: ['SERVICE_UNAVAILABLE'],
    handler: async () => {
      const body = await sources.readiness();
      if (body.status === 'ready') return body;
      return new RawAnswer(503, JSON_TYPE, JSON.stringify(body), { 'Retry-After': '1' });
    },
  });
}

function pageAnswer(page: HtmlPage): RawAnswer {
  return new RawAnswer(200, 'text/html; charset=utf-8', page.html, {
    'Content-Security-Policy': page.contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
  });
}

/** Calls `create` once, and again only after a failure. */
function once<T>(create: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  const forget = (error: unknown): never => {
    made = null;
    throw error;
  };
  return () => (made ??= create().catch(forget));
}
