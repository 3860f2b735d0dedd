/** The few lines that the server prints for the operator who has started it. */
import { isGuessable } from './guessable-token';
import type { OracleSettings } from './oracle-settings';
import { PLAY_TREASURY_USD } from './play-money';
import type { PaymentSettings } from './payment-settings';
import { samplesRefusal } from './sample/samples';
import type { Settings, StorageChoice } from './settings';

/** What the start has found in the database. */
export interface FoundBooks {
  /** Evidence of play money in a database for real payments. `null`: none was found. */
  playMoney: string | null;
  /** Whether this start has made the tables. */
  isNew: boolean;
  hasMarkets: boolean;
}

/** The command that fills the database with sample markets, as in a checkout of the repository. */
export const SAMPLE_COMMAND = 'npm run sample';

export function bannerLines(
  settings: Settings,
  adminToken: string | null,
  books: FoundBooks,
  sampleCommand = SAMPLE_COMMAND,
): string[] {
  const home = settings.baseUrl ?? `http://localhost:${settings.port}`;
  const lines = [
    `Prediction market listening on ${home} (bound to ${settings.host}:${settings.port})`,
    `  pages      ${settings.siteUrl ?? home}/`,
    `  API        ${home}/api/v2/docs`,
    `  Docs       ${home}/docs`,
    `  operators  ${settings.siteUrl ?? home}/operators   API ${home}/api/v2/admin   metrics ${home}/metrics`,
    `  storage    ${describeStorage(settings.storage)}`,
    ...(books.isNew && settings.storage.kind !== 'memory'
      ? ['             NEW database: this start has made its tables. Is DATABASE_URL the right one?']
      : []),
    `  limits     ${settings.redisUrl === undefined ? 'counted in this process' : `Redis, ${new URL(settings.redisUrl).host}`}`,
    ...(settings.workers > 1 ? [`  workers    ${settings.workers} processes share the port (WORKERS)`] : []),
    ...describePayments(settings, books),
    ...describeOracle(settings),
    `  house      may lose ${settings.exposureLimit} USD beyond what its treasury holds (EXPOSURE_LIMIT)`,
  ];
  for (const { given, meant } of settings.misspelt)
    lines.push(`  WARNING    ${given} is not a setting: did you mean ${meant}?`);
  if (settings.adminToken === null && adminToken !== null) {
    lines.push(
      `  ADMIN_TOKEN was not set; for this run it is ${adminToken}`,
      `             sign in with it: ${settings.siteUrl ?? home}/operators#token=${adminToken}`,
    );
  }
  lines.push(...describeFirstSteps(settings, books, sampleCommand));
  return lines;
}

/** How a newcomer gets to the first trade on play money. */
function describeFirstSteps(settings: Settings, { hasMarkets }: FoundBooks, sampleCommand: string): string[] {
  const { facilitator, storage, isProduction } = settings;
  if (facilitator.kind !== 'development' || hasMarkets || isProduction || storage.kind === 'postgres')
    return [];
  const trade = '             Then open the pages, and press "Get 500 USD of play money".';
  if (samplesRefusal(settings) !== null)
    return [
      '  begin      no markets yet? First stop the server, run',
      `             \`${sampleCommand}\`, and start it again.`,
      trade,
    ];
  return [
    '  begin      no markets yet? Press "Fill with sample markets" on the page of the operators (above).',
    ...(storage.kind === 'memory'
      ? []
      : [`             Or stop the server, run \`${sampleCommand}\`, and start it again.`]),
    trade,
  ];
}

function describePayments(settings: Settings, { playMoney }: FoundBooks): string[] {
  const { facilitator, payTo, network, asset } = settings;
  if (facilitator.kind === 'development') {
    return [
      `  WARNING    play money: the development facilitator checks signatures but moves no USDC, and operators`,
      `             credit wallets as they like. Real payments: ${settings.baseUrl ?? `http://localhost:${settings.port}`}/docs/standalone#real-payments`,
      `  treasury   ${PLAY_TREASURY_USD} USD of play money were put in when the database was new.`,
      `             Use a new database before you take USDC that is worth something.`,
    ];
  }
  const settledBy =
    facilitator.kind === 'http'
      ? new URL(facilitator.url).host
      : `this server as ${facilitator.settler.address}, which pays the gas`;
  return [
    `  payments   REAL MONEY on ${network}, to ${payTo}; token ${asset ?? 'USDC'}`,
    `             settled by ${settledBy}`,
    `             PAY_TO must belong to this deployment alone (all its instances share it)`,
    ...warnOfNoAddress(settings),
    ...warnOfTokens(settings),
    ...warnOfOpenMetrics(settings),
    ...warnOfForgetting(settings),
    ...warnOfPlayMoney(playMoney),
    ...warnOfBlindness(settings),
    `  payouts    ${describePayouts(settings)}`,
    `  WARNING    operators' deposits credit wallets without moving USDC: back each with money of your own.`,
    `  treasury   fund it (POST /api/v2/admin/treasury/deposits) with money that is there: withdrawals`,
    `             wait as soon as the house has lost more than its treasury holds.`,
  ];
}

/**
 * Warns of play money in a database for real payments. This is only a warning: without a treasury key the
 * server pays no withdrawals, so no play money becomes real.
 */
function warnOfPlayMoney(found: string | null): string[] {
  return found === null
    ? []
    : [
        `  WARNING    the database holds PLAY MONEY: ${found}. Its balances are backed by nothing, and trade`,
        `             beside real ones. Use a new database; with TREASURY_PRIVATE_KEY the server does not start.`,
      ];
}

/** Warns of real payments without a public address. Payment requirements then name the host of each request. */
function warnOfNoAddress({ baseUrl }: Settings): string[] {
  return baseUrl === undefined
    ? [
        `  WARNING    BASE_URL is not set: a caller chooses the host in its own challenge and payment requirements.`,
        `             Set it to the public address of the server, such as https://market.example.com.`,
      ]
    : [];
}

/** Warns of real payments behind tokens that can be guessed. The warning does not repeat the token. */
function warnOfTokens({ adminToken, adminTokens, metricsToken }: Settings): string[] {
  const named = Object.entries(adminTokens ?? {}).map(
    ([name, token]) => [`ADMIN_TOKENS (${name})`, token] as const,
  );
  return [['ADMIN_TOKEN', adminToken] as const, ...named, ['METRICS_TOKEN', metricsToken] as const]
    .filter(([, token]) => token !== null && isGuessable(token))
    .map(
      ([name]) =>
        `  WARNING    ${name} can be guessed: it has a common word, or few different characters. Use \`openssl rand -hex 24\`.`,
    );
}

/** Warns of figures that every caller can read. On a loopback address only programs of this machine can ask. */
function warnOfOpenMetrics({ host, metricsToken }: Settings): string[] {
  return metricsToken === null && !isLoopback(host)
    ? [
        `  WARNING    /metrics is open to every caller that reaches this port: set METRICS_TOKEN, or keep the path from`,
        `             the public at the proxy.`,
      ]
    : [];
}

const isLoopback = (host: string): boolean => /^(localhost|127\..*|::1)$/.test(host);

/**
 * Warns of real payments with a storage in memory. A restart loses the books. Without them, the operator
 * cannot tell whose money is on the chain.
 */
function warnOfForgetting({ storage }: Settings): string[] {
  return storage.kind === 'memory'
    ? [
        `  WARNING    DATABASE_URL=memory: forgets at each restart whose the real money is. Only for tries:`,
        `             use sqlite:<file> or postgres://… as soon as others pay.`,
      ]
    : [];
}

/** Says which models vote, and what their votes do. */
function describeOracle({ oracle, minVoters, challengePeriodMs }: OracleSettings): string[] {
  if (oracle.kind === 'manual')
    return ['  oracle     none: operators resolve markets (ORACLE_MODELS is not set)'];
  const { models, baseUrl } = oracle;
  const voters = `${models.join(', ')} at ${new URL(baseUrl).host}`;
  if (models.length < minVoters) {
    return [
      `  oracle     ${voters}`,
      `             ${models.length} of ${minVoters} voters: proposes only, operators decide (ORACLE_MIN_VOTERS=${models.length} lets it decide)`,
    ];
  }
  const paid =
    challengePeriodMs === 0
      ? 'winners are paid at once (CHALLENGE_PERIOD_MS=7200000 gives operators two hours to object)'
      : `winners are paid ${challengePeriodMs / 1000} s later, unless an operator decides otherwise`;
  const decide =
    models.length === 1
      ? 'decides alone when it is confident'
      : 'vote; they decide when all agree with confidence';
  return [`  oracle     ${voters}`, `             ${decide}; ${paid}`];
}

/**
 * Warns operators if no node of the chain is set. The x402 protocol has no request that asks what became of a
 * payment.
 */
function warnOfBlindness({ facilitator }: PaymentSettings): string[] {
  if (facilitator.kind !== 'http' || facilitator.rpcUrl !== undefined) return [];
  return [
    `  WARNING    RPC_URL is not set: without a node the server cannot look up what became of a payment whose settlement was`,
    `             interrupted. Such a payment stays \`submitted\` until an operator confirms or rejects it.`,
  ];
}

function describePayouts({ payout }: PaymentSettings): string {
  return payout.kind === 'evm'
    ? `withdrawals are paid by ${payout.treasury.address}, which needs USDC and gas`
    : 'none: TREASURY_PRIVATE_KEY is not set, so withdrawals are refused (404)';
}

/** The storage in a few words, without its password. */
export function describeStorage(choice: StorageChoice): string {
  switch (choice.kind) {
    case 'memory':
      return 'memory: everything is gone when the process ends';
    case 'sqlite':
      return `SQLite, ${choice.file}`;
    case 'postgres': {
      const { host, pathname } = new URL(choice.url);
      return `Postgres, ${host}${pathname}`;
    }
  }
}
