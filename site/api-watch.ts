import type { IncomingMessage, ServerResponse } from 'node:http';

const API_PATH = '/api/v2/';
/** The host may mount the operators' routes at another path. */
const OPERATORS_PATH = '/api/v2/admin/';

/** Emits a process warning, once, if a request of the API gets a 404 that does not come from the API. */
export function createApiWatch(): (request: IncomingMessage, response: ServerResponse, base: string) => void {
  let isTold = false;
  return (request, response, base) => {
    const { method = 'GET', url = '/' } = request;
    if (isTold || !url.startsWith(API_PATH) || url.startsWith(OPERATORS_PATH)) return;
    // The host may mount the API after the pages, so this checks the finished answer. A 404 of the API is JSON, so a
    // 404 of another type means that no API is mounted.
    response.once('finish', () => {
      const type = String(response.getHeader('content-type') ?? '');
      if (isTold || response.statusCode !== 404 || type.includes('json')) return;
      isTold = true;
      const mount = base === '' ? '' : `'${base}', `;
      const message =
        `the pages of createSite ask the API at ${base}${API_PATH.slice(0, -1)}, and none is there: ` +
        `${method} ${base}${url.split('?', 1)[0]} was a 404. Mount the router at the path of the pages: ` +
        `app.use(${mount}pm.router, createSite(pm)). Or set the option apiUrl to the address of the API`;
      process.emitWarning(message, { code: 'API_ELSEWHERE' });
    });
  };
}
