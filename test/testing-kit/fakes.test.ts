/** The fakes of the testing kit behave as real adapters do, and name the mistakes of a test. */
import { describe, expect, it } from '@jest/globals';
import { until } from '../support/until';
import { api, createTestMarket, fakeOracle, fakePayout } from '../../testing';

const DAY = 86_400_000;
const FORGOTTEN =
  'oracle.hold() still holds back one question: call the function that hold() returned before you await runJobs()';

async function heldMarket() {
  const market = await createTestMarket();
  await market.createMarket();
  const release = market.oracle.hold();
  market.oracle.answer('YES');
  market.clock.advance(DAY);
  const running = market.runJobs();
  await until(() => market.oracle.held === 1);
  return { market, release, running };
}

describe('a hold of the oracle', () => {
  it('that is forgotten is named when the market closes, and the market is closed', async () => {
    const { market, running } = await heldMarket();
    await expect(market.close()).rejects.toThrow(FORGOTTEN);
    await running;
    await expect(market.pm.listMarkets({})).rejects.toThrow('closed');
  });

  it('is not named when it was released, or when no question waits', async () => {
    const { market, release, running } = await heldMarket();
    release();
    await running;
    market.oracle.hold();
    await market.close();
    expect(market.oracle.held).toBe(0);
  });

  it('ends with the signal of the question', async () => {
    const oracle = fakeOracle();
    oracle.hold();
    const abort = new AbortController();
    const asked = oracle.ask({} as never, { signal: abort.signal });
    abort.abort();
    await expect(asked).rejects.toThrow(FORGOTTEN);
    expect(oracle.held).toBe(0);
  });
});

describe('the fake oracle refuses an answer', () => {
  it.each<[what: string, outcome: 'YES' | 'NO', details: object, message: string]>([
    [
      'with a confidence in percent',
      'YES',
      { confidence: 90 },
      'the confidence 90 is not a number from 0 to 1',
    ],
    ['whose figures contradict each other', 'NO', { probability: 1 }, 'NO contradicts the probability 1'],
    [
      'with a misspelt detail',
      'YES',
      { confidense: 0.3 },
      'unknown option confidense; did you mean confidence?',
    ],
  ])('%s', async (_what, outcome, details, message) => {
    const oracle = fakeOracle();
    expect(() => oracle.answer(outcome, details)).toThrow(`oracle.answer: ${message}`);
    expect(await oracle.ask({} as never)).toMatchObject({ outcome: 'UNKNOWN' });
  });

  it('but takes details that are undefined', async () => {
    const oracle = fakeOracle();
    oracle.answer('YES', { confidence: undefined } as object);
    expect(await oracle.ask({} as never)).toMatchObject({ outcome: 'YES', confidence: 1 });
  });
});

it('`api` refuses a misspelt option', () => {
  const app = () => undefined;
  expect(() => api(app, { bas: '/x' } as object)).toThrow('api: unknown option bas; did you mean base?');
});

describe('the fake payout', () => {
  const order = { id: 7, to: '0x1', amount: 5n, network: 'eip155:8453', asset: '0x2' } as const;

  it('has another state for each preparation of an order', async () => {
    const payout = fakePayout();
    const states = [await payout.prepare(order, []), await payout.prepare(order, [])];
    const [first, second] = states.map((one) => (one.status === 'prepared' ? one.state : ''));
    expect(second).toMatch(/^0x[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
    expect(await fakePayout().prepare(order, [])).toEqual(states[0]);
  });

  it('confirms what was submitted, and knows no state of another adapter', async () => {
    const payout = fakePayout();
    const prepared = await payout.prepare(order, []);
    const state = prepared.status === 'prepared' ? prepared.state : '';
    expect(await payout.check(state)).toEqual({ status: 'pending' });
    await payout.submit(state);
    expect(await payout.check(state)).toEqual({ status: 'confirmed', transaction: state });
    expect(await fakePayout().check(state)).toMatchObject({ status: 'confirmed' });
    expect(await payout.check('a state of another adapter')).toMatchObject({
      status: 'pending',
      unknown: true,
    });
  });
});
