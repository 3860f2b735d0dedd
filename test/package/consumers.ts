import { packageName } from './support';

export type ModuleKind = 'module' | 'commonjs';

function load(kind: ModuleKind, names: string, from: string): string {
  return kind === 'module' ? `import ${names} from '${from}';` : `const ${names} = require('${from}');`;
}

const bootAndAsk = `
let curve = 'not told';
const quiet = () => undefined;
const logger = {
  debug: (fields) => { if ('implementation' in fields) curve = fields.implementation; },
  info: quiet, warn: quiet, error: quiet,
};
const pm = createPredictionMarket({
  logger,
  storage: memoryStorage(),
  oracle: manualOracle(),
  facilitator: developmentFacilitator({ warn: () => undefined }),
  payTo: '0x1111111111111111111111111111111111111111',
});
async function main() {
  await pm.start();
  const app = express();
  app.use(pm.router);
  app.use('/ops', pm.adminRouter);
  app.use('/pages', createSite(pm));
  app.use('/docs', createDocs());
  const server = app.listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  const base = 'http://127.0.0.1:' + server.address().port;
  const address = '0x2222222222222222222222222222222222222222';
  const challenge = await fetch(base + '/api/v2/auth/challenge', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, action: 'issue' }),
  });
  const { data } = await challenge.json();
  const refused = await fetch(base + '/api/v2/public/markets');
  const audit = await fetch(base + '/ops/audit');
  const page = await fetch(base + '/pages/');
  const docs = await fetch(base + '/docs/tutorial');
  const error = await pm.getMarket(999).catch((reason) => reason);
  const client = createClient({ baseUrl: base });
  await client.connectWallet(Wallet.createRandom(), { label: 'consumer' });
  const { available } = await client.account.balance();
  const unknown = await client.markets.get(999).catch((reason) => reason);
  let withoutDriver = 'no error';
  try { sqliteStorage({ file: 'never.db' }); } catch (reason) { withoutDriver = reason.message; }
  console.log(JSON.stringify({
    challenge: challenge.status,
    nonce: data.nonce.length,
    refused: [refused.status, (await refused.json()).code],
    audit: (await audit.json()).ok,
    page: [page.status, (await page.text()).includes('<!doctype html>')],
    docs: [docs.status, (await docs.text()).includes('An empty folder')],
    sameClass: error instanceof PredictionMarketError && error.code,
    client: [available, isPredictionMarketApiError(unknown) && unknown.code],
    withoutDriver,
    curve,
  }));
  await new Promise((resolve) => server.close(resolve));
  await pm.close();
}
main();
`;

export function javascriptConsumer(kind: ModuleKind): string {
  return [
    load(kind, 'express', 'express'),
    load(kind, '{ createPredictionMarket, PredictionMarketError }', packageName),
    load(kind, '{ memoryStorage }', `${packageName}/storage/memory`),
    load(kind, '{ sqliteStorage }', `${packageName}/storage/sqlite`),
    load(kind, '{ manualOracle }', `${packageName}/oracle/manual`),
    load(kind, '{ developmentFacilitator }', `${packageName}/facilitator/development`),
    load(kind, '{ createDocs, createSite }', `${packageName}/site`),
    load(kind, '{ createClient, isPredictionMarketApiError }', `${packageName}/client`),
    load(kind, '{ Wallet }', 'ethers'),
    bootAndAsk,
  ].join('\n');
}

export function exportLister(kind: ModuleKind, entries: string[]): string {
  const loads = entries.map((entry) =>
    kind === 'module' ? `await import('${entry}')` : `require('${entry}')`,
  );
  const pairs = entries.map((entry, index) => `['${entry}', names(${loads[index]})]`);
  return `
const names = (loaded) => Object.keys(loaded).filter((name) => name !== 'default' && name !== 'module.exports').sort();
console.log(JSON.stringify(Object.fromEntries([${pairs.join(', ')}])));
`;
}

export const typescriptConsumer = `
import express, { type Express } from 'express';
import { createPredictionMarket, PredictionMarketError, type OracleAnswer, type PredictionMarket, type PredictionMarketOptions } from '${packageName}';
import { memoryStorage } from '${packageName}/storage/memory';
import { sqliteStorage } from '${packageName}/storage/sqlite';
import { postgresStorage } from '${packageName}/storage/postgres';
import { manualOracle } from '${packageName}/oracle/manual';
import { developmentFacilitator } from '${packageName}/facilitator/development';
import { redisRateLimit } from '${packageName}/rate-limit/redis';
import { createSite } from '${packageName}/site';
import { createTestMarket, storageConformance } from '${packageName}/testing';
import { createClient, fromEthers, type PredictionMarketApiError, type PredictionMarketClient } from '${packageName}/client';

export const options: PredictionMarketOptions = {
  storage: memoryStorage(),
  oracle: manualOracle(),
  facilitator: developmentFacilitator({ warn: () => undefined }),
  payTo: '0x1111111111111111111111111111111111111111',
};
export const others = [() => sqliteStorage({ file: 'x.db' }), () => postgresStorage({ url: 'postgres://localhost/x' }), () => redisRateLimit({ url: 'redis://x' })];
/** An optional option may also be undefined, like an environment variable that is not set. */
type Optional<Options> = { [Name in keyof Options]-?: object extends Pick<Options, Name> ? Name : never }[keyof Options];
type Undefined<Options> = { [Name in Optional<Options>]: undefined };
export const none: Undefined<PredictionMarketOptions> extends Pick<PredictionMarketOptions, Optional<PredictionMarketOptions>> ? true : false = true;
/** An input type with an optional field that refuses undefined. For all other inputs: never. */
type Refused<Input> = Input extends readonly unknown[] | ((...given: never[]) => unknown) ? never
  : Input extends object ? (Undefined<Input> extends Pick<Input, Optional<Input>> ? never : Input) : never;
type RefusingMethods<Api> = { [Name in keyof Api]-?: Api[Name] extends (...given: infer Given) => unknown
  ? ([Refused<Given[number]>] extends [never] ? never : Name)
  : Api[Name] extends object ? RefusingMethods<Api[Name]> : never }[keyof Api];
type OfExpress = 'router' | 'adminRouter';
type OfNode = 'attachWebSocket';
type Typed = Pick<PredictionMarket, { [Name in keyof PredictionMarket]: PredictionMarket[Name] extends (...given: never[]) => unknown ? Name : never }[keyof PredictionMarket]>;
export const everyInput: [RefusingMethods<Omit<Typed, OfExpress | OfNode>>, RefusingMethods<PredictionMarketClient>] extends [never, never] ? true : false = true;
// @ts-expect-error: an input that refuses undefined is found
export const found: RefusingMethods<{ list(query?: { limit?: number }): void; all(): void }> = 'all';
export const limits: PredictionMarketOptions['live'] = { connectionLimit: undefined };
export const payments = developmentFacilitator({ warn: undefined });
const pm = createPredictionMarket(options);
const app: Express = express();
app.use(pm.router);
app.use('/ops', pm.adminRouter);
app.use(createSite(pm));
pm.events.on('trade', (event) => {
  const price: number = event.data.yesPrice;
  // @ts-expect-error: the payload of a trade has no such field, so it is typed rather than any
  const nothing: string = event.data.noSuchField;
  console.log(price, nothing);
});
export async function cost(): Promise<number> {
  const trade = await pm.placeTrade({ wallet: '0x1', market: 1, side: 'YES', amount: 5 });
  // @ts-expect-error: a side is YES or NO
  await pm.placeTrade({ wallet: '0x1', market: 1, side: 'MAYBE', amount: 5 });
  return trade.totalCost;
}
export const answer: OracleAnswer = {
  ...{ outcome: 'YES', probability: 0.95, confidence: 0.9 },
  votes: [{ outcome: 'YES', probability: 0.95, confidence: 0.9, citations: [{ url: 'https://a.example' }] }],
};
const client = createClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.KEY });
export async function bought(signer: Parameters<typeof fromEthers>[0]): Promise<number> {
  await client.connectWallet(fromEthers(signer), { replace: true, label: 'consumer' });
  for await (const market of client.markets.all({ status: 'open' })) console.log(market.question);
  // @ts-expect-error: a side is YES or NO
  await client.trades.place(1, { side: 'MAYBE', amount: 5 });
  return (await client.trades.place(1, { side: 'YES', amount: 5 })).shares;
}
export const mayHaveTraded = (error: PredictionMarketApiError): boolean => error.outcome === 'unknown';
export const isOurs = (error: unknown): boolean => error instanceof PredictionMarketError && error.code === 'MARKET_CLOSED';
export { createTestMarket, storageConformance };
`;

export function importerOfAll(paths: readonly string[]): string {
  const imports = paths.map((path, index) => `import * as entry${index} from '${path}';`);
  const names = paths.map((_path, index) => `typeof entry${index}`);
  return `${imports.join('\n')}\nexport type Entries = [${names.join(', ')}];\n`;
}

export type Resolving = readonly [module: string, moduleResolution: string];

export function typescriptConfig(files: readonly string[], resolving: Resolving): object {
  const [module, moduleResolution] = resolving;
  return {
    compilerOptions: {
      module,
      moduleResolution,
      target: 'ES2022',
      lib: ['ES2023'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      // The run that resolves as Node does has checked these files of the package already.
      skipLibCheck: moduleResolution === 'Bundler',
      noEmit: true,
    },
    files,
  };
}
