import type { IncomingMessage, ServerResponse } from 'node:http';

const API_PATH = '/api/v2/';

/**
 * Tells the host once, as a warning of the process, that the pages ask an address at which no API answers. The pages
 * themselves show only that each of their requests fails. Not for hosts that set `apiUrl`: that API may be anywhere.
 */
export function createApiWatch(): (request: IncomingMessage, response: ServerResponse, base: string) => void {
  let isTold = false;
  return (request, response, base) => {
    const { method = 'GET', url = '/' } = request;
    if (isTold || !url.startsWith(API_PATH)) return;
    // The host may mount the API after the pages, so this checks the finished answer. The API sends JSON with its
    // own 404; any other 404 means that there is no API.
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
