import { Wallet } from 'ethers';
import { developmentFacilitator, PLAY_TREASURY_REFERENCE } from '../../adapters/facilitator/development';
import { evmFacilitator } from '../../adapters/facilitator/evm';
import { httpFacilitator } from '../../adapters/facilitator/http';
import { manualOracle } from '../../adapters/oracle/manual';
import { developmentPayout } from '../../adapters/payout/development';
import { evmPayout } from '../../adapters/payout/evm';
import { memoryStorage } from '../../adapters/storage/memory';
import { createPredictionMarket, type PredictionMarket } from '../../src/create-prediction-market';
import { isPaymentSetUpError } from '../../src/index';
import type { Logger } from '../../src/ports/logger';
import { screenedFacilitator } from '../../examples/custom-facilitator/facilitator';
import { silentLogger } from '../../src/ports/logger';
import type { PredictionMarketOptions } from '../../src/prediction-market-options';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { fakePayout } from '../../testing/fake-payout';
import { startAnsweringNode, type AnsweringNode } from '../support/answering-node';
import { lastingStorage } from '../support/lasting-storage';

const PAYEE = '0x000000000000000000000000000000000000dEaD';
const SETTLER = `0x${'11'.repeat(32)}`;
const TREASURY = `0x${'22'.repeat(32)}`;

function create(options: Partial<PredictionMarketOptions>): PredictionMarket {
  const required = { storage: memoryStorage(), oracle: manualOracle(), payTo: PAYEE };
  return createPredictionMarket({ ...required, facilitator: realFacilitator(), ...options });
}

const realFacilitator = () => ({ ...fakeFacilitator(), playMoney: false });
const realPayout = () => ({ ...fakePayout(), playMoney: false });

const playFacilitator = () => developmentFacilitator({ warn: () => undefined });

let node: AnsweringNode;
beforeAll(async () => {
  node = await startAnsweringNode({ eth_chainId: '0x1' });
});
afterAll(() => node.close());

describe('a node on another chain than the option network', () => {
  it.each([
    ['facilitator', () => ({ facilitator: evmFacilitator({ rpcUrl: node.url, privateKey: SETTLER }) })],
    [
      'facilitator',
      () => ({ facilitator: httpFacilitator({ url: 'http://127.0.0.1:1', rpcUrl: node.url }) }),
    ],
    ['payout', () => ({ payout: evmPayout({ rpcUrl: node.url, privateKey: TREASURY }) })],
  ])('of the %s keeps the market from starting, and opens no storage', async (option, adapters) => {
    const storage = memoryStorage();
    const open = jest.spyOn(storage, 'open');
    const pm = create({ storage, ...adapters() });
    const error: unknown = await pm.start().catch((reason: unknown) => reason);
    expect(isPaymentSetUpError(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'WRONG_CHAIN',
      found: 'eip155:1',
      message: `the node of the ${option} is on eip155:1, and the option network is eip155:8453: name a node of eip155:8453, or another network`,
    });
    expect(open).not.toHaveBeenCalled();
    await pm.close();
  });

  it('is none when the node gives the chain of the option as a bigint, as ethers does', async () => {
    const facilitator = { ...realFacilitator(), chainId: async () => 8453n as unknown as number };
    const pm = create({ facilitator });
    await pm.start();
    await pm.close();
  });

  it('is found through a facilitator that wraps another one', async () => {
    const inner = evmFacilitator({ rpcUrl: node.url, privateKey: SETTLER });
    const pm = create({ facilitator: screenedFacilitator({ inner, isBlocked: async () => false }) });
    await expect(pm.start()).rejects.toMatchObject({ code: 'WRONG_CHAIN' });
    await pm.close();
  });

  it('is none when both name the same chain', async () => {
    const facilitator = evmFacilitator({ rpcUrl: node.url, privateKey: SETTLER });
    const pm = create({ facilitator, network: 'eip155:1' });
    await pm.start();
    await pm.close();
  });

  it('is not known while the node is away: the market starts, and its log says so', async () => {
    const lines: unknown[] = [];
    const logger: Logger = { ...silentLogger, info: (fields, text) => lines.push({ ...fields, text }) };
    const facilitator = evmFacilitator({ rpcUrl: 'http://127.0.0.1:1', privateKey: SETTLER });
    const pm = create({ facilitator, logger });
    await pm.start();
    expect(lines).toContainEqual(
      expect.objectContaining({ option: 'facilitator', text: expect.stringContaining('was not checked') }),
    );
    await pm.close();
  });
});

it('one key for settlements and withdrawals is refused at once, without repeating it', () => {
  const facilitator = evmFacilitator({ rpcUrl: node.url, privateKey: SETTLER });
  const payout = evmPayout({ rpcUrl: node.url, privateKey: SETTLER.slice(2) });
  expect(() => create({ facilitator, payout })).toThrow(
    `createPredictionMarket: payout must have another private key than facilitator; both send from ${new Wallet(SETTLER).address}`,
  );
});

it('one key is found through a facilitator that wraps another one', () => {
  const inner = evmFacilitator({ rpcUrl: node.url, privateKey: SETTLER });
  const facilitator = screenedFacilitator({ inner, isBlocked: async () => false });
  const payout = evmPayout({ rpcUrl: node.url, privateKey: SETTLER });
  expect(() => create({ facilitator, payout })).toThrow('another private key');
});

it.each([
  ['payments in play money', 'of real money', () => ({ facilitator: playFacilitator(), payout: evm() })],
  ['real payments', 'in play money', () => ({ facilitator: http(), payout: developmentPayout() })],
])('%s and a payout %s are refused at once', (_payments, _payout, adapters) => {
  expect(() => create(adapters())).toThrow(
    /^createPredictionMarket: facilitator moves .* must move the same/,
  );
});

const evm = () => evmPayout({ rpcUrl: node.url, privateKey: TREASURY });
const http = () => httpFacilitator({ url: 'http://127.0.0.1:1' });

describe('books that hold play money', () => {
  async function playBooks() {
    const kept = await lastingStorage();
    const play = create({ storage: kept, facilitator: playFacilitator(), payout: developmentPayout() });
    await play.start();
    await play.depositToTreasury({ amount: 10, reference: PLAY_TREASURY_REFERENCE });
    await play.close();
    return kept;
  }

  it('are not paid out in real money', async () => {
    const pm = create({ storage: await playBooks(), payout: realPayout() });
    await expect(pm.start()).rejects.toMatchObject({
      code: 'PLAY_MONEY_IN_BOOKS',
      found: `the deposit "${PLAY_TREASURY_REFERENCE}"`,
      message: expect.stringMatching(/^the database holds play money .*: use a new database, or no payout$/),
    });
    await pm.close();
  });

  it.each([
    ['nothing is paid out', {}],
    ['the payout moves no money', { facilitator: playFacilitator(), payout: developmentPayout() }],
    ['the payments are play money too', { facilitator: playFacilitator(), payout: fakePayout() }],
  ])('open when %s', async (_when, adapters) => {
    const pm = create({ storage: await playBooks(), ...adapters });
    await pm.start();
    await pm.close();
  });
});
