/**
 * The groups of the reference of types. The fields of a group besides `title` and `text`:
 * - `names` and `files`: the group has these names, and then the names in these files that no group lists. The last
 *   group gets all other names.
 * - `page`: the end of the name of the group's page.
 * - `members`: interfaces whose members get an entry each, with a prefix before the name and a heading of `level`.
 * - `contract`: the file whose first comment begins the group.
 */
const portGroup = (port, names, files) => ({
  title: `Port of ${port.replace('-', ' ')}s`,
  text: 'what an adapter has to do',
  page: 'ports',
  contract: `src/ports/${port}.ts`,
  names,
  files,
});

const OF_THE_MARKET = [
  {
    title: 'Start',
    text: '`createPredictionMarket`, its options, and what it returns',
    names: ['createPredictionMarket', 'PredictionMarketOptions'],
    files: /^src\/((oracle|webhook|live)-options|life-cycle)\.ts|operator-name/,
  },
  {
    title: 'The market',
    text: 'the routers, the start and the end, and the figures of this instance',
    names: ['PredictionMarket'],
    files: /^src\/(create-prediction-market|live\/websocket\/|live\/feed\/|usecases\/alarms)/,
    members: { PredictionMarket: 'pm.' },
  },
  {
    title: 'Methods for wallets',
    text: 'keys, markets, trades, the data of a wallet, and paid calls',
    names: ['Operations'],
    members: { Operations: 'pm.' },
  },
  {
    title: 'Methods for operators',
    text: 'creators, money, markets, keys, consumers, webhooks, the log and the books',
    names: ['OperatorOperations'],
    members: { OperatorOperations: 'pm.' },
  },
  portGroup('oracle', ['Oracle'], /^src\/(ports\/oracle|domain\/oracle\/vote)/),
  portGroup('facilitator', ['Facilitator'], /^src\/ports\/facilitator/),
  portGroup('payout', ['Payout'], /^src\/ports\/payout/),
  portGroup('rate-limit', ['RateLimitBackend'], /^src\/(ports\/rate-limit|rate-limit\/)/),
  {
    title: 'Small ports',
    text: 'clock, randomness, log and pricing',
    page: 'ports',
    names: ['Clock', 'Random', 'Logger', 'PricingRule'],
    files: /^src\/domain\/(pricing|lmsr)/,
  },
  {
    title: 'Port of storages',
    text: 'the storage, its transactions, and what they read and write',
    page: 'storage',
    contract: 'src/ports/storage/index.ts',
    names: ['Storage', 'Transaction', 'Reader'],
    files: /^src\/ports\/storage\//,
  },
  {
    title: 'Events',
    text: 'their names and data, listeners, positions and consumers',
    names: ['EventMap', 'LocalEventMap'],
    files: /^src\/(live\/e|domain\/event|domain\/consumers|events\/|jobs\/consumers|usecases\/consumers)/,
    members: { EventMap: '', LocalEventMap: '' },
    level: 4,
  },
  {
    title: 'Errors',
    text: 'what methods reject with, and how to recognise it',
    names: ['isPredictionMarketError', 'PredictionMarketError', 'ErrorCode', 'ERROR_TABLE'],
    files: /^src\/(domain\/(errors|payment-set-up)|usecases\/payments\/check-set-up)/,
  },
  {
    title: 'What methods take',
    text: 'the arguments of the typed methods',
    page: 'answers',
    files: /^src\/(operator-)?inputs\.ts|accounts\/audit/,
  },
  {
    title: 'What methods answer',
    text: 'the views: the JSON of the HTTP API',
    page: 'answers',
    files: /^src\/views\//,
  },
  {
    title: 'Records of resolution',
    text: 'rounds, votes and rules',
    page: 'records',
    files: /^src\/domain\/oracle\//,
  },
  {
    title: 'Records of payments, withdrawals and webhooks',
    text: 'with their states',
    page: 'records',
    files: /^src\/domain\/(payments|withdrawals|webhooks|house)/,
  },
  {
    title: 'Other records',
    text: 'markets, accounts, postings, positions, trades, keys, creators',
    page: 'records',
  },
];

const OF_THE_CLIENT = [
  {
    title: 'Start',
    text: '`createClient`, its options, and what it returns',
    names: ['createClient', 'ClientOptions', 'PredictionMarketClient'],
    files: /\/(create-client|options)\.ts/,
    members: { PredictionMarketClient: 'client.' },
  },
  {
    title: 'Signers',
    text: 'wallets of ethers, viem and browsers',
    names: ['fromEthers', 'fromViem', 'fromEip1193'],
    files: /\/signers\.ts/,
  },
  {
    title: 'Markets and orders',
    text: '`client.markets` and `client.trades`',
    names: ['Markets', 'Trades'],
    files: /\/(markets|candles|idempotency|amounts)\.ts/,
    members: { Markets: 'client.markets.', Trades: 'client.trades.' },
  },
  {
    title: 'Account and withdrawals',
    text: '`client.account` and `client.withdrawals`',
    names: ['Account', 'Withdrawals'],
    files: /\/account\.ts/,
    members: { Account: 'client.account.', Withdrawals: 'client.withdrawals.' },
  },
  {
    title: 'Keys and creators',
    text: '`client.keys` and `client.creators`',
    names: ['Keys', 'Creators'],
    files: /\/keys\.ts/,
    members: { Keys: 'client.keys.', Creators: 'client.creators.' },
  },
  {
    title: 'Paid calls',
    text: '`client.paid`',
    names: ['Paid'],
    files: /\/(paid|payment-terms|receipt)\.ts/,
    members: { Paid: 'client.paid.' },
  },
  {
    title: 'Operators',
    text: '`client.admin`',
    names: ['Admin'],
    files: /\/admin\.ts/,
    members: { Admin: 'client.admin.' },
  },
  {
    title: 'Live channels',
    text: '`client.live`, its messages and its options',
    names: ['LiveSubscription', 'LiveOptions', 'LiveChannel', 'LiveMessage'],
    files: /\/live\//,
  },
  {
    title: 'Errors',
    text: 'what calls reject with, and how to recognise it',
    names: ['isPredictionMarketApiError', 'PredictionMarketApiError'],
    files: /\/errors\.ts/,
  },
  {
    title: 'Answers of the API',
    text: 'generated from the OpenAPI documents',
    page: 'api',
    files: /\/api\.generated\.ts/,
  },
  {
    title: 'Routes of the API',
    text: 'what each route takes and answers, generated from the OpenAPI documents',
    page: 'routes',
    names: ['paths'],
    members: { paths: '' },
    language: 'ts plain',
  },
];

const OF_THE_TESTING_KIT = [
  {
    title: 'Start',
    text: '`createTestMarket` and its options, and calls of the HTTP API',
    names: ['createTestMarket', 'TestMarketOptions', 'TestMarket', 'TestMarketInput', 'AddressOf', 'api'],
    files: /^testing\/api\.ts/,
  },
  {
    title: 'Fakes, time and wallets',
    text: 'the parts of a test market, to use alone',
    files: /^testing\/(fake-|test-|seeded)/,
  },
  ...['storage', 'row-store', 'oracle', 'facilitator', 'payout', 'rate-limit'].map((port) => ({
    title: `Suite for ${port.replace('-', ' ')}s`,
    text: `\`${port.replace(/-(\w)/, (_all, letter) => letter.toUpperCase())}Conformance\``,
    files: new RegExp(`^testing/${port}-conformance`),
  })),
  { title: 'All suites', text: 'what the suites share' },
];

/** The groups by entry of the package. An entry without groups has one plain page. */
export const GROUPS = {
  '.': OF_THE_MARKET,
  './client': OF_THE_CLIENT,
  './testing': OF_THE_TESTING_KIT,
};
