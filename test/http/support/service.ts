import { Wallet } from 'ethers';
import express, { type Express } from 'express';
import request, { type Response, type Test } from 'supertest';
import { memoryStorage } from '../../../adapters/storage/memory';
import { manualOracle } from '../../../adapters/oracle/manual';
import { fakePayout } from '../../../testing/fake-payout';
import { fakeFacilitator } from '../../../testing/fake-facilitator';
import { createPredictionMarket, type PredictionMarket } from '../../../src/create-prediction-market';
import type { PredictionMarketOptions } from '../../../src/prediction-market-options';
import { buildDocument, type OpenApiDocument } from '../../../src/http/openapi/document';
import { operatorRoutes } from '../../../src/http/routes/operators';
import type { Logger } from '../../../src/ports/logger';
import { signChallenge, type Challenge, type SignedChallenge } from '../../support/sign-challenge';
import { createContract, type Contract } from './contract';

export const API = '/api/v2';
export const OPS = '/ops';
export const START = Date.parse('2027-03-01T12:00:00Z');
export const PAY_TO = '0x000000000000000000000000000000000000dEaD';

export interface LoggedError {
  message: string;
}

export interface CallOptions {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The client's address as a trusted proxy reports it. */
  from?: string;
}

export interface Service {
  pm: PredictionMarket;
  app: Express;
  clock: { now(): number; advance(milliseconds: number): void };
  errors: LoggedError[];
  warnings: LoggedError[];
  contract: Contract;
  adminContract: Contract;
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** Sends the request from a fresh client address, so no quota of the test is used up. */
  issueKey(wallet: Wallet, extra?: Record<string, unknown>): Promise<string>;
  signed(wallet: Wallet, action: string, extra?: Record<string, unknown>): Promise<SignedChallenge>;
  approve(wallet: Wallet): Promise<void>;
  fund(wallet: Wallet, usd: number): Promise<void>;
  close(): Promise<void>;
}

export function wallet(number: number): Wallet {
  return new Wallet(`0x${number.toString(16).padStart(64, '0')}`);
}

export function recordingLogger(errors: LoggedError[], warnings: LoggedError[] = []): Logger {
  const nothing = (): void => undefined;
  return {
    debug: nothing,
    info: nothing,
    warn: (fields, message) => void warnings.push({ ...fields, message }),
    error: (fields, message) => void errors.push({ ...fields, message }),
  };
}

/** Returns a service that is not started. `make` makes the market in place of `createPredictionMarket`. */
export async function createService(
  options: Partial<PredictionMarketOptions> = {},
  make: typeof createPredictionMarket = createPredictionMarket,
): Promise<Service> {
  let time = START;
  const errors: LoggedError[] = [];
  const warnings: LoggedError[] = [];
  const clock = { now: () => time, advance: (milliseconds: number) => void (time += milliseconds) };
  const pm = make({
    storage: memoryStorage(),
    oracle: manualOracle(),
    facilitator: { ...fakeFacilitator(), playMoney: options.payout?.playMoney ?? true },
    payout: { ...fakePayout(), playMoney: options.facilitator?.playMoney ?? true },
    payTo: PAY_TO,
    clock,
    logger: recordingLogger(errors, warnings),
    ...options,
  });
  const app = express();
  app.set('trust proxy', true);
  app.use(OPS, pm.adminRouter);
  app.use(pm.router);
  const contract = createContract(await documentOf(app, options));
  const adminContract = createContract(adminDocument());

  async function call(method: string, path: string, sent: CallOptions = {}): Promise<Response> {
    const pending = prepare(app, method, path, sent);
    const response = await pending;
    contract.check(method, path, response);
    adminContract.check(method, path, response);
    return response;
  }

  let setUps = 0;
  const fromElsewhere = (): string => `10.9.${String((setUps += 1) >> 8)}.${String(setUps & 255)}`;
  async function must(method: string, path: string, sent: CallOptions, status: number): Promise<Response> {
    const response = await call(method, path, { from: fromElsewhere(), ...sent });
    if (response.status !== status)
      throw new Error(`${method} ${path}: ${String(response.status)} ${response.text}`);
    return response;
  }

  async function signed(
    signer: Wallet,
    action: string,
    extra: Record<string, unknown> = {},
  ): Promise<SignedChallenge> {
    return signChallenge(signer, async (address) => {
      const body = { address, action, ...extra };
      const answer = await must('post', `${API}/auth/challenge`, { body }, 200);
      return (answer.body as { data: Challenge }).data;
    });
  }

  return {
    pm,
    app,
    clock,
    errors,
    warnings,
    contract,
    adminContract,
    call,
    signed,
    issueKey: async (signer, extra = {}) => {
      const body = { ...(await signed(signer, 'issue')), ...extra };
      const answer = (await must('post', `${API}/auth/token`, { body }, 201)).body as {
        data: { apiKey: string };
      };
      return answer.data.apiKey;
    },
    approve: async (creator) => {
      await must('post', `${OPS}/creators/${creator.address}/approve`, {}, 200);
    },
    fund: async (owner, usd) => {
      const body = { amount: usd, reference: `fund-${String((setUps += 1))}` };
      await must('post', `${OPS}/accounts/${owner.address}/deposits`, { body }, 200);
    },
    close: () => pm.close(),
  };
}

export async function startService(
  options: Partial<PredictionMarketOptions> = {},
  make: typeof createPredictionMarket = createPredictionMarket,
): Promise<Service> {
  const service = await createService(options, make);
  await service.pm.start();
  return service;
}

export async function createMarket(
  service: Service,
  creator: Wallet,
  extra: Record<string, unknown> = {},
): Promise<number> {
  await service.approve(creator);
  const key = await service.issueKey(creator);
  const response = await service.call('post', `${API}/public/markets`, {
    key,
    body: { ...marketBody(service), ...extra },
  });
  if (response.status !== 201) throw new Error(response.text);
  return (response.body as { id: number }).id;
}

export function marketBody(service: Service): Record<string, unknown> {
  return {
    question: 'Will it rain in Lisbon tomorrow?',
    resolutionCriteria: 'YES if the weather office measures any rain.',
    resolveDate: new Date(service.clock.now() + 86_400_000).toISOString(),
    category: 'science',
  };
}

function prepare(app: Express, method: string, path: string, sent: CallOptions): Test {
  const agent = request(app);
  const pending = agent[method.toLowerCase() as 'get'](path);
  pending.set('X-Forwarded-For', sent.from ?? '192.0.2.1');
  if (sent.key !== undefined) pending.set('X-API-Key', sent.key);
  for (const [name, value] of Object.entries(sent.headers ?? {})) pending.set(name, value);
  if (sent.body === undefined) return pending;
  if (typeof sent.body === 'string') {
    if (sent.headers?.['Content-Type'] === undefined) pending.type('application/json');
    return pending.send(sent.body);
  }
  return pending.type('application/json').send(JSON.stringify(sent.body));
}

const NOT_IN_THE_DOCUMENT = ['storage', 'facilitator', 'oracle', 'clock', 'logger', 'jobIntervalMs'];
let usualDocument: Promise<OpenApiDocument> | undefined;

/** Serving the document takes longer than the rest of a service, so services with an equal document share one copy. */
function documentOf(app: Express, options: Partial<PredictionMarketOptions>): Promise<OpenApiDocument> {
  const isUsual = Object.keys(options).every((name) => NOT_IN_THE_DOCUMENT.includes(name));
  return isUsual ? (usualDocument ??= servedDocument(app)) : servedDocument(app);
}

async function servedDocument(app: Express): Promise<OpenApiDocument> {
  const response = await request(app).get(`${API}/openapi.json`).expect(200);
  return response.body as OpenApiDocument;
}

let operatorsDocument: OpenApiDocument | undefined;
/** The options for webhooks are the same for each service here, so that all services share one document. */
function adminDocument(): OpenApiDocument {
  return (operatorsDocument ??= buildDocument(
    operatorRoutes({ webhooks: { limit: 20, allowPrivate: false } }),
    {
      title: 'Operators',
      version: '2.0.0',
      prefix: OPS,
    },
  ));
}
