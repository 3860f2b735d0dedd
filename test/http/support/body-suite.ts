import express, { type RequestHandler } from 'express';
import { createServer, type RequestListener } from 'node:http';
import request from 'supertest';
import { gzipSync } from 'node:zlib';
import { readBody } from '../../../src/http/body';
import { toPublicError } from '../../../src/http/errors';

type Parsing = 'unparsed' | 'arrived' | 'parsed by the host' | 'text of the host' | 'bytes of the host';
const UNPARSED: Parsing[] = ['unparsed', 'arrived'];
const parsings: Parsing[] = [...UNPARSED, 'parsed by the host', 'text of the host', 'bytes of the host'];

/** Waits for the whole body, or for as much as Node buffers without a reader. */
const untilArrived: RequestHandler = (req, res, next) => {
  if (req.complete || req.readableLength >= req.readableHighWaterMark) next();
  else setImmediate(untilArrived, req, res, next);
};

function echo(parsing: Parsing): RequestListener {
  const app = express();
  if (parsing === 'parsed by the host') app.use(express.json({ limit: '1mb', strict: false }));
  if (parsing === 'text of the host') app.use(express.text({ limit: '1mb', type: 'application/json' }));
  if (parsing === 'bytes of the host') app.use(express.raw({ limit: '1mb', type: 'application/json' }));
  if (parsing === 'arrived') app.use(untilArrived);
  app.use((req, res) => {
    readBody(req, res).then(
      (body) => res.status(200).json({ body }),
      (error: unknown) => {
        const shown = toPublicError(error);
        res.status(shown.status).json({ code: shown.code, message: shown.message });
      },
    );
  });
  return app;
}

const json = 'application/json';

export function bodySuite(): void {
  describe.each(parsings)('%s', (parsing) => {
    const app = echo(parsing);

    it('is read as JSON', async () => {
      const answer = await request(app).post('/').type(json).send('{"a":[1,"é"]}').expect(200);
      expect(answer.body).toEqual({ body: { a: [1, 'é'] } });
    });

    it('may begin with a byte order mark', async () => {
      const answer = await request(app).post('/').type(json).send('\ufeff{"a":1}').expect(200);
      expect(answer.body).toEqual({ body: { a: 1 } });
    });

    it('may come in chunks, and is {} when there are none', async () => {
      expect(await sendBytes(app, streamOf('{"a"', ':1}'), { 'content-type': json })).toMatchObject({
        status: 200,
        body: { body: { a: 1 } },
      });
      expect(await sendBytes(app, streamOf(), { 'content-type': json })).toMatchObject({
        status: 200,
        body: { body: {} },
      });
    });

    it.each(['null', '5', '[]', 'true'])('may be any JSON value: %s', async (text) => {
      const answer = await request(app).post('/').type(json).send(text).expect(200);
      expect(answer.body).toEqual({ body: JSON.parse(text) });
    });

    it('is {} when there is none', async () => {
      expect((await request(app).post('/').expect(200)).body).toEqual({ body: {} });
      expect((await request(app).post('/').set('Content-Type', json).expect(200)).body).toEqual({ body: {} });
      expect((await request(app).post('/').type('text/plain').expect(200)).body).toEqual({ body: {} });
    });

    it.each([undefined, 'text/plain', 'text/html', 'application/x-www-form-urlencoded', 'application/jsonp'])(
      'is refused as %s',
      async (type) => {
        const pending = request(app).post('/');
        if (type !== undefined) pending.set('Content-Type', type);
        const answer = await pending.serialize((text: unknown) => String(text)).send('{"a":1}');
        expect(answer.status).toBe(415);
        expect(answer.body).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
      },
    );

    it('is refused above 100,000 bytes and taken at 100,000', async () => {
      const fits = JSON.stringify(['x'.repeat(99_996)]);
      expect((await request(app).post('/').type(json).send(fits)).status).toBe(200);
      const answer = await request(app).post('/').type(json).send(`${fits} `);
      expect(answer.status).toBe(413);
      expect(answer.body).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    });
  });

  describe.each(UNPARSED)('that no parser has read: %s', (parsing) => {
    const app = echo(parsing);

    it.each(['{', '{"a":1,}', 'NaN', "{'a':1}", '{"a":1}{', '\ufeff{}x', '1e'])(
      'is refused when malformed: %j',
      async (text) => {
        const answer = await request(app).post('/').type(json).send(text);
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR' });
      },
    );

    it('is refused when it is not UTF-8', async () => {
      const answer = await sendBytes(app, Buffer.from([0x22, 0xff, 0xfe, 0x22]), { 'content-type': json });
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    });

    it.each(['iso-8859-1', 'utf-16', 'utf-7', 'nonsense'])(
      'is refused in the charset %s',
      async (charset) => {
        const answer = await sendBytes(app, Buffer.from('{}'), {
          'content-type': `${json}; charset=${charset}`,
        });
        expect(answer).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
      },
    );

    it.each(['utf-8', 'UTF-8', '"utf-8"'])('is taken in the charset %s', async (charset) => {
      const answer = await sendBytes(app, Buffer.from('{}'), {
        'content-type': `${json}; charset=${charset}`,
      });
      expect(answer.status).toBe(200);
    });

    it('may be compressed, but its size counts unpacked', async () => {
      const headers = { 'content-type': json, 'content-encoding': 'gzip' };
      expect(await sendBytes(app, gzipSync('{"a":1}'), headers)).toMatchObject({
        status: 200,
        body: { body: { a: 1 } },
      });
      const bomb = gzipSync(JSON.stringify('x'.repeat(20_000_000)));
      expect(bomb.length).toBeLessThan(100_000);
      expect(await sendBytes(app, bomb, headers)).toMatchObject({ status: 413 });
    });

    it('is refused when its encoding is unknown or not the declared one', async () => {
      const unknown = { 'content-type': json, 'content-encoding': 'compress' };
      expect(await sendBytes(app, Buffer.from('{}'), unknown)).toMatchObject({ status: 415 });
      const broken = { 'content-type': json, 'content-encoding': 'gzip' };
      expect(await sendBytes(app, Buffer.from('{}'), broken)).toMatchObject({ status: 400 });
    });
  });
}

function streamOf(...parts: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(Buffer.from(part));
      controller.close();
    },
  });
}

/** Sends the bytes unchanged. Superagent would encode the body again. */
async function sendBytes(
  app: RequestListener,
  bytes: Buffer | ReadableStream<Uint8Array>,
  headers: Record<string, string>,
): Promise<{ status: number; body: unknown }> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const response = await fetch(`http://127.0.0.1:${String(address.port)}/`, {
      method: 'POST',
      headers,
      ...(bytes instanceof Buffer ? { body: new Uint8Array(bytes) } : { body: bytes, duplex: 'half' }),
    });
    return { status: response.status, body: await response.json() };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
