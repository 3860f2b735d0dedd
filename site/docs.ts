/** Serves the built documentation (`npm run build:docs`) from the files of the package. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, extname, isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkOptions, flag, mustBe, optional, type Checks } from '../src/domain/options';
import { documentationPolicy } from './content-security-policy';
import { escapeHtml } from './html';
import { addressForBrowsers } from './options';

/** Checks the form of the options. The folder is read at the first request. */
const CHECKS: Checks<DocsOptions> = {
  folder: optional(mustBe('the path of a folder', (value) => typeof value === 'string' && value !== '')),
  apiUrl: addressForBrowsers,
  adminUrl: addressForBrowsers,
  catchAll: optional(flag),
};

export interface DocsOptions {
  /** The folder of the built documentation. Default: the folder `built-docs` of the package. */
  folder?: string | undefined;
  /**
   * The address of the API for the browser, such as `/shop/api/v2`. Default: `../api/v2`, relative to the first page of
   * the documentation. An API of another origin needs CORS.
   */
  apiUrl?: string | undefined;
  /** The address of the operators' routes for the browser, such as `/ops`. Default: `admin` below `apiUrl`. */
  adminUrl?: string | undefined;
  /** Answers paths that it does not know with a page of its own and 404. Default: they go on to the next handler. */
  catchAll?: boolean | undefined;
}

export type DocsHandler = (
  request: IncomingMessage & { baseUrl?: string; originalUrl?: string },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

interface Asset {
  type: string;
  body: Buffer;
  tag: string;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** What the pages ask: the API and the operators' routes. */
interface Addresses {
  apiUrl: string;
  adminUrl: string;
}

/** The address of the API in the built pages, relative to the first page. */
const BUILT_API_URL = '../api/v2';

function addressesOf({ apiUrl = BUILT_API_URL, adminUrl = `${apiUrl}/admin` }: DocsOptions): Addresses {
  return { apiUrl: apiUrl.replace(/\/+$/, ''), adminUrl: adminUrl.replace(/\/+$/, '') };
}

function withAddresses(html: string, { apiUrl, adminUrl }: Addresses): string {
  return html.replaceAll(
    /="\.\.\/api\/v2(\/admin)?\//g,
    (_built, admin) => `="${escapeHtml(admin === undefined ? apiUrl : adminUrl)}/`,
  );
}

/** `built-docs` is beside `dist` in the package and beside `site` in the repository. A host's bundle lacks it. */
function ownFolder(): string {
  // CommonJS has `__filename` and no `import.meta`.
  const here =
    typeof __filename === 'string' && isAbsolute(__filename) ? __filename : fileURLToPath(import.meta.url);
  return join(dirname(here), '..', 'built-docs');
}

/** The page for unknown paths, sent with status 404. */
const NOT_FOUND = '/404.html';

/**
 * The files of the folder whose type is in `TYPES`, by path below the mount. A request for another path does not reach
 * the disk.
 */
function filesIn(folder: string): Map<string, string> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const files = names.filter(
    (name) => TYPES[extname(name)] !== undefined && statSync(join(folder, name)).isFile(),
  );
  return new Map(files.map((name) => [`/${name.split(sep).join('/')}`, join(folder, name)]));
}

/**
 * The files of the documentation. Warns if `index.html` is missing, because the host's 404 would not show the reason.
 */
function pagesIn(folder: string): Map<string, string> {
  const files = filesIn(folder);
  if (!files.has('/index.html'))
    process.emitWarning(`createDocs: the folder ${folder} has no index.html, so it serves no documentation`, {
      code: 'DOCS_MISSING',
    });
  return files;
}

function readAsset(file: string, addresses: Addresses): Asset {
  const content = readFileSync(file);
  const isPage = extname(file) === '.html';
  const body = isPage ? Buffer.from(withAddresses(content.toString(), addresses)) : content;
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type: TYPES[extname(file)] ?? '', body, tag };
}

/**
 * A handler for Express: `app.use('/docs', createDocs())`. Paths that it does not know go on to your app, unless
 * `catchAll` is true. Its pages ask no other host, unless `apiUrl` or `adminUrl` names one. They have a strict
 * Content-Security-Policy of their own. If the folder has no `index.html`, Node prints a warning `DOCS_MISSING`.
 * @throws TypeError naming the option, for options that do not exist or do not fit.
 */
export function createDocs(options: DocsOptions = {}): DocsHandler {
  checkOptions('createDocs', options, CHECKS);
  const folder = options.folder ?? ownFolder();
  const addresses = addressesOf(options);
  const policy = documentationPolicy(Object.values(addresses));
  const assets = new Map<string, Asset>();
  let files: Map<string, string> | undefined;
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next();
      return;
    }
    files ??= pagesIn(folder);
    const [path = '/', query] = (request.url ?? '/').split('?', 2);
    // Links of the pages are relative, so the address of the first page has to end with a slash.
    const [address = ''] = (request.originalUrl ?? '/').split('?', 1);
    if (path === '/' && !address.endsWith('/')) {
      response.writeHead(301, { Location: `${address}/${query === undefined ? '' : `?${query}`}` }).end();
      return;
    }
    const name = [path, `${path}.html`, `${path}index.html`].find((candidate) => files?.has(candidate));
    // An address with a slash at its end, or with the `.md` of the file in the repository, leads to the page too.
    const page = path.replace(/(\/|\.md)$/, '');
    if (name === undefined && page !== path && files.has(`${page}.html`) && `${page}.html` !== NOT_FOUND) {
      const Location = `${request.baseUrl ?? ''}${page}${query === undefined ? '' : `?${query}`}`;
      response.writeHead(301, { Location }).end();
      return;
    }
    const isMissing = name === undefined || name === NOT_FOUND;
    const file = files.get(isMissing ? NOT_FOUND : name);
    if (file === undefined || (isMissing && options.catchAll !== true)) {
      next();
      return;
    }
    try {
      const asset = assets.get(file) ?? readAsset(file, addresses);
      assets.set(file, asset);
      if (isMissing) sendNotFound(request, response, asset, policy);
      else sendAsset(request, response, asset, policy);
    } catch (error) {
      next(error);
    }
  };
}

/**
 * Links of a page are relative to its address. This page is sent for paths of any depth, so its links begin
 * at the mount.
 */
function sendNotFound(
  request: IncomingMessage & { baseUrl?: string },
  response: ServerResponse,
  { type, body }: Asset,
  policy: string,
): void {
  const text = body.toString().replaceAll('="./', () => `="${escapeHtml(request.baseUrl ?? '')}/`);
  response.writeHead(404, { ...headersOf(type, policy), 'Content-Length': Buffer.byteLength(text) });
  response.end(request.method === 'HEAD' ? undefined : text);
}

function headersOf(type: string, policy: string): Record<string, string> {
  return {
    'Content-Type': type,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  };
}

function sendAsset(
  request: IncomingMessage,
  response: ServerResponse,
  { type, body, tag }: Asset,
  policy: string,
): void {
  const headers = { ...headersOf(type, policy), ETag: tag };
  if (request.headers['if-none-match'] === tag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}
