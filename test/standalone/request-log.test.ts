/** Our own lines for requests must equal those of `pino-http`, except for times and ids. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';
import request from 'supertest';
import { createLogger } from '../../examples/standalone/logger';
import { requestLogging } from '../../examples/standalone/request-log';
import { until } from '../support/until';

function plainLogging(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    genReqId: () => randomUUID(),
    autoLogging: {
      ignore: (request) => /^(\/api\/v2)?\/(health|ready|metrics)\/?(\?|$)/.test(request.url ?? ''),
    },
    customLogLevel: (_request, response, error) => {
      if (error !== undefined || (response.statusCode >= 500 && response.statusCode !== 503)) return 'error';
      return response.statusCode === 503 ? 'warn' : 'info';
    },
    // From status 500 on, `pino-http` adds an error with a stack of its own. The market has logged the cause, so the
    // test removes that error.
    customErrorObject: (_request, _response, error, line: object) =>
      /^failed with status code/.test(error.message) ? { ...line, err: undefined } : line,
    customProps: () => ({}),
    wrapSerializers: false,
    serializers: {
      req: (request: IncomingMessage & { id?: unknown; originalUrl?: string; ip?: string }) => ({
        id: request.id,
        method: request.method,
        path: (request.originalUrl ?? request.url ?? '').split('?', 1)[0],
        ip: request.ip ?? request.socket.remoteAddress,
      }),
      res: (response: ServerResponse) => ({ status: response.statusCode }),
    },
  });
}

interface Logged {
  app: Express;
  ours: string[];
  plain: string[];
}

function loggedTwice(): Logged {
  const [ours, plain]: string[][] = [[], []];
  const into = (lines: string[] = []): Logger =>
    createLogger('info', { destination: { write: (line) => void lines.push(line) } });
  const app = express();
  app.use(plainLogging(into(plain)), requestLogging(into(ours)));
  app.get('/status/:code', (incoming, response) => void response.status(Number(incoming.params.code)).end());
  app.get('/stream', (_incoming, response) => void response.write('begun'));
  app.get('/broken', (_incoming, response) => {
    response.emit('error', new Error('the connection broke'));
    response.end();
  });
  app.get(['/health', '/api/v2/ready', '/metrics'], (_incoming, response) => void response.end());
  return { app, ours: ours ?? [], plain: plain ?? [] };
}

const comparable = (line: string): unknown => {
  const { time, responseTime, req, ...rest } = JSON.parse(line) as Record<string, object>;
  expect([typeof time, typeof responseTime]).toEqual(['string', 'number']);
  return { ...rest, req: { ...req, id: '' } };
};

it('a log line has the same fields, level and message, for each kind of answer', async () => {
  const { app, ours, plain } = loggedTwice();
  const codes = [200, 201, 304, 404, 429, 500, 503];
  for (const code of codes) await request(app).get(`/status/${code}?apiKey=pmk_secret`);
  await request(app).head('/status/200');
  await request(app).get('/broken');
  for (const path of ['/health?x', '/api/v2/ready', '/metrics']) await request(app).get(path);
  await until(() => ours.length === codes.length + 2 && plain.length === ours.length);
  expect(ours.map(comparable)).toEqual(plain.map(comparable));
});

it('a log line says that a request was aborted when the client leaves before the end of the answer', async () => {
  const { app, ours, plain } = loggedTwice();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const call = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/stream`);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  call.destroy();
  await until(() => ours.length === 1 && plain.length === 1);
  server.close();
  expect(ours.map(comparable)).toEqual(plain.map(comparable));
  expect(ours[0]).toContain('request aborted');
});

it('an answer names the id of its log line', async () => {
  const { app, ours } = loggedTwice();
  const { headers } = await request(app).get('/status/404');
  await until(() => ours.length === 1);
  expect(JSON.parse(ours[0] ?? '')).toMatchObject({ req: { id: headers['x-request-id'] as unknown } });
});
