import express, { type Express } from 'express';
import request from 'supertest';
import { manualOracle } from '../../adapters/oracle/manual';
import { memoryStorage } from '../../adapters/storage/memory';
import { createPredictionMarket, type PredictionMarket } from '../../src/create-prediction-market';
import { silentLogger } from '../../src/ports/logger';
import { fakeFacilitator } from '../../testing/fake-facilitator';

const create = (options: object = {}): PredictionMarket =>
  createPredictionMarket({
    storage: memoryStorage(),
    oracle: manualOracle(),
    facilitator: fakeFacilitator(),
    payTo: '0x000000000000000000000000000000000000dEaD',
    ...options,
  });

describe('a host without a logger', () => {
  let warned: { message: string; code: string }[];
  beforeEach(() => {
    warned = [];
    jest.spyOn(process, 'emitWarning').mockImplementation((message, options) => {
      warned.push({ message: String(message), code: (options as { code?: string }).code ?? '' });
    });
  });
  afterEach(() => jest.restoreAllMocks());

  const codes = (): string[] => warned.map(({ code }) => code);
  const ask = (app: Express, path: string) => request(app).get(path);

  it('is told once that start() was not called, and not after it', async () => {
    const pm = create();
    const app = express().use(pm.router);
    await ask(app, '/api/v2/x402/feed').expect(503);
    await ask(app, '/api/v2/x402/feed').expect(503);
    expect(codes()).toEqual(['NOT_STARTED']);
    expect(warned[0]?.message).toContain('await pm.start()');
    await pm.start();
    await ask(app, '/api/v2/x402/info').expect(200);
    await pm.close();
    expect(codes()).toEqual(['NOT_STARTED']);
  });

  it('is told once that the path contains the prefix twice', async () => {
    const pm = create();
    await pm.start();
    const wrong = express().use('/api/v2', pm.router);
    await ask(wrong, '/api/v2/x402/info').expect(404);
    await ask(wrong, '/api/v2/x402/info').expect(404);
    expect(codes()).toEqual(['MOUNTED_TWICE']);
    expect(warned[0]?.message).toContain('app.use(pm.router)');
    await pm.close();
  });

  it('is not told of paths that are not for the API, also below a prefix of its own', async () => {
    const pm = create();
    await pm.start();
    const app = express().use(pm.router).use('/markets', pm.router);
    await ask(app, '/nowhere').expect(404);
    await ask(app, '/markets/nowhere').expect(404);
    await ask(app, '/markets/api/v2/x402/info').expect(200);
    await pm.close();
    expect(codes()).toEqual([]);
  });

  it('is told once that the routes of operators are mounted without a path, where they answer every address', async () => {
    const pm = create();
    await pm.start();
    const behindCheck = express().use('/ops', pm.adminRouter);
    await ask(behindCheck, '/ops/nowhere').expect(404);
    expect(codes()).toEqual([]);
    const open = express().use(pm.adminRouter);
    await ask(open, '/nowhere').expect(404);
    await ask(open, '/nowhere').expect(404);
    expect(codes()).toEqual(['OPERATORS_AT_ROOT']);
    expect(warned[0]?.message).toContain("app.use('/ops', onlyOperators, pm.adminRouter)");
    await pm.close();
  });

  it('hears nothing with a logger that writes nothing', async () => {
    const pm = create({ logger: silentLogger });
    await ask(express().use(pm.router), '/api/v2/x402/feed').expect(503);
    await pm.close();
    expect(codes()).toEqual([]);
  });
});
