import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import express4 from 'express4';
import { createExpressServer } from '../../examples/standalone/express-server';

const apps: [version: string, make: () => Express][] = [
  ['5', express],
  ['4', express4 as unknown as () => Express],
];

it.each(apps)(
  'the server makes requests and answers as Express %s would make them',
  async (_version, make) => {
    const { server, serve } = createExpressServer();
    const app = make();
    const sameAsApp: boolean[] = [];
    server.on('request', (request, response) => {
      sameAsApp.push(Object.getPrototypeOf(request) === app.request);
      sameAsApp.push(Object.getPrototypeOf(response) === app.response);
    });
    app.enable('trust proxy');
    app.get('/word/:word', (request, response) => {
      response.status(418).json({ word: request.params.word, ip: request.ip, query: request.query });
    });
    serve(app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}/word/tea?milk=yes`, {
        headers: { 'x-forwarded-for': '10.0.0.9' },
      });
      expect(answer.status).toBe(418);
      expect(await answer.json()).toEqual({ word: 'tea', ip: '10.0.0.9', query: { milk: 'yes' } });
      expect(sameAsApp).toEqual([true, true]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);
