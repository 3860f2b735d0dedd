import express from 'express';
import { memoryStorage } from '../adapters/storage/memory';
import { createPredictionMarket } from '../src/create-prediction-market';
import type { OpenApiDocument } from '../src/http/openapi/document';
import { fakeFacilitator, fakeOracle, fakePayout } from '../testing/index';
import { listening } from './listening';

export interface ClientDocuments {
  callers: OpenApiDocument;
  operators: OpenApiDocument;
}

/** The path at which the scripts mount the operators' router. */
export const OPERATORS = '/operators';

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
  app.use(OPERATORS, pm.adminRouter);
  return listening(app, documentsAt);
}

export async function documentsAt(address: string): Promise<ClientDocuments> {
  const read = async (path: string): Promise<OpenApiDocument> =>
    (await (await fetch(address + path)).json()) as OpenApiDocument;
  return {
    callers: await read('/api/v2/openapi.json'),
    operators: await read(`${OPERATORS}/openapi.json`),
  };
}
