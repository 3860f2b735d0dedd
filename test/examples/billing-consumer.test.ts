import { createTestMarket, type TestMarket } from 'express-prediction-market/testing';
import request from 'supertest';
import { createApp } from '../../examples/billing-consumer/app';
import { startBilling } from '../../examples/billing-consumer/billing';
import { openFeeBook, type BookedFee, type FeeBook } from '../../examples/billing-consumer/fee-book';

let test: TestMarket;
let fees: FeeBook;
beforeEach(async () => {
  test = await createTestMarket();
  fees = await openFeeBook(':memory:');
});
afterEach(async () => {
  await test.close();
  await fees.close();
});

/** Returns the sum of the fees of `count` orders, in millionths of a USD. */
async function trade(count: number): Promise<number> {
  const wallet = test.wallet('alice').address;
  await test.fund(wallet, 1_000);
  const { id } = await test.createMarket();
  let sum = 0;
  for (let made = 0; made < count; made += 1) {
    const { fee } = await test.pm.placeTrade({ wallet, market: id, side: 'YES', amount: 10 + made });
    sum += Math.round(fee * 1_000_000);
  }
  return sum;
}

it('books the fee of every trade, those from before the first start too', async () => {
  const before = await trade(3);
  await startBilling(test.pm, fees);
  const after = await trade(2);
  await test.runJobs();
  expect(await fees.total()).toBe(before + after);
  const { body } = await request(createApp(test.pm, fees)).get('/billing/total').expect(200);
  expect(body).toEqual({ usd: (before + after) / 1_000_000 });
});

it('books each fee once when facts come again, and when the answer of the table was lost', async () => {
  const calls: BookedFee[] = [];
  const forgetful: FeeBook = {
    ...fees,
    async book(fee) {
      calls.push(fee);
      await fees.book(fee);
      if (calls.length === 2) throw new Error('the answer was lost');
    },
  };
  const interrupted = await startBilling(test.pm, forgetful);
  const sum = await trade(3);
  await test.runJobs();
  expect(calls).toHaveLength(2);
  await interrupted.stop(); // the process ends during the pause after the failure
  const repeated = await startBilling(test.pm, forgetful);
  await test.runJobs();
  expect([calls.length, await fees.total()]).toEqual([4, sum]);

  await repeated.stop();
  await test.pm.resumeConsumer('billing', { from: 'oldest' }); // every fact comes again
  await startBilling(test.pm, forgetful);
  await test.runJobs();
  expect([calls.length, await fees.total()]).toEqual([7, sum]);
});
