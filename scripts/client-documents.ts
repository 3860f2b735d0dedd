/** The two OpenAPI documents as the routers serve them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { memoryStorage } from '../adapters/storage/memory';
import { createPredictionMarket } from '../src/create-prediction-market';
import type { OpenApiDocument } from '../src/http/openapi/document';
import { fakeFacilitator, fakeOracle, fakePayout } from '../testing/index';

export interface ClientDocuments {
  callers: OpenApiDocument;
  operators: OpenApiDocument;
}

export async function clientDocuments(): Promise<ClientDocuments> {
  const pm = createPredictionMarket({
    storage: memoryStorage(),
    oracle: fakeOracle(),
    facilitator: fakeFacilitator(),
    payout: fakePayout(),
    payTo: '0x000000000000000000000000000000000000dEaD',
  });
  const app = express();
  app.use(pm.router);
  app.use('/operators', pm.adminRouter);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const read = async (path: string): Promise<OpenApiDocument> =>
    (await (await fetch(address + path)).json()) as OpenApiDocument;
  try {
    return {
      callers: await read('/api/v2/openapi.json'),
      operators: await read('/operators/openapi.json'),
    };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
