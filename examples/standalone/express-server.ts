/** An HTTP server that makes its requests and answers with the prototypes of an Express app. */
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { Express } from 'express';

export interface ExpressServer {
  server: Server;
  /** From now on `app` answers the requests. `serve` may be called once. */
  serve(app: Express): void;
}

/**
 * Express gives every request and answer the prototype of its app, and Node slows an object down whose prototype
 * changes (docs/performance.md "Over HTTP"). Here the objects are made with the prototypes that Express would give
 * them.
 */
export function createExpressServer(): ExpressServer {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  const server = createServer({ IncomingMessage: AppRequest, ServerResponse: AppResponse });
  return {
    server,
    serve(app) {
      app.request = inheriting(app.request, AppRequest.prototype);
      app.response = inheriting(app.response, AppResponse.prototype);
      server.on('request', app);
    },
  };
}

/** Makes `prototype` inherit from `parent`, and returns it. */
function inheriting<Parent extends object>(parent: Parent, prototype: object): Parent {
  return Object.setPrototypeOf(prototype, parent) as Parent;
}
