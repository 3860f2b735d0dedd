/** Makes calls of operators that a service refuses because of the state of a market, a payment and so on. */
import { testWallet } from '../testing/index';
import { untilRefused, type Scene } from './api-examples-refusals';

const DAY_MS = 86_400_000;

const OTHER_TRANSACTION = `0x${'7b'.repeat(32)}`;

export async function refuseOperators(scene: Scene): Promise<void> {
  await refuseDeposits(scene);
  await refuseWithdrawals(scene);
  await refuseDecisions(scene);
  await refusePaymentDecisions(scene);
  await refuseConsumersAndWebhooks(scene);
}

async function refuseDeposits({ ask }: Scene): Promise<void> {
  const parameters = { address: testWallet('trader').address };
  for (const amount of [100, 200]) {
    const body = { amount, reference: 'bank transfer 2030-0001' };
    await ask('post /accounts/{address}/deposits', { parameters, body });
    await ask('post /treasury/deposits', { body });
  }
}

async function refuseWithdrawals({ test, ask }: Scene): Promise<void> {
  const parameters = { id: 1 };
  const confirm = (transaction: string) =>
    ask('post /withdrawals/{id}/confirm', { parameters, body: { transaction } });
  const fail = () =>
    ask('post /withdrawals/{id}/fail', { parameters, body: { reason: 'Nothing was sent.' } });
  await confirm(OTHER_TRANSACTION);
  await fail();
  test.payout.progressWith(null);
  await test.runJobs();
  await confirm(OTHER_TRANSACTION);
  await fail();
}

async function refuseDecisions({ test, ask }: Scene): Promise<void> {
  const parameters = { id: 1 };
  const key = await test.apiKey(testWallet('trader'));
  await ask('post /markets/{id}/resolution/retry', { parameters });
  await ask('post /markets/{id}/close', { parameters });
  await ask('get /public/markets/{id}/price', {
    parameters: { ...parameters, side: 'YES', amount: 10 },
    key,
  });
  await ask('post /public/markets/{id}/trade', { parameters, key, body: { side: 'YES', amount: 10 } });
  await ask('post /markets/{id}/resolve', { parameters, body: { outcome: 'YES' } });
  await ask('post /markets/{id}/resolve', { parameters, body: { outcome: 'NO' } });
  await ask('post /markets/{id}/close', { parameters });
}

/** Asks to reject a settled payment, and to confirm a rejected payment. The service refuses both. */
async function refusePaymentDecisions({ test, ask, payer }: Scene): Promise<void> {
  const paid = payer(testWallet('creator'));
  const { payments: before } = await test.pm.listPayments({ limit: 1 });
  const first = (before[0]?.id ?? 0) + 1;
  await paid.deposit(25);
  test.facilitator.settleWith({ status: 'invalid', reason: 'the authorization has expired' });
  await paid.deposit(25).catch(() => undefined);
  const body = { reason: 'The explorer shows the transfer.' };
  await ask('post /payments/{id}/reject', { parameters: { id: first }, body });
  await ask('post /payments/{id}/confirm', { parameters: { id: first + 1 }, body });
}

async function refuseConsumersAndWebhooks({ test, ask, receiver }: Scene): Promise<void> {
  const handle = await test.pm.consume('books', () => Promise.resolve(), { from: 'oldest' });
  await test.runJobs();
  await ask('delete /consumers/{name}', { parameters: { name: 'books' } });
  const body = { url: receiver };
  await untilRefused(() => ask('post /webhooks', { body }));
  const parameters = { id: 1 };
  const overlap = { overlapSeconds: 86_400 };
  await untilRefused(() => ask('post /webhooks/{id}/rotate', { parameters, body: overlap }));
  await test.runJobs();
  test.clock.advance(8 * DAY_MS);
  await test.approveCreator(testWallet('other creator'));
  await test.runJobs();
  await test.runJobs();
  const seq = 2;
  await ask('post /webhooks/{id}/replay', { parameters, body: { seq } });
  await ask('post /consumers/{name}/resume', { parameters: { name: 'books' }, body: { seq } });
  await ask('delete /webhooks/{id}', { parameters });
  await ask('post /webhooks', { body: { ...body, seq } });
  await handle.stop();
}
