import type { Page } from 'playwright-core';
import type { PaymentView } from 'express-prediction-market';
import type { Standalone } from '../../examples/standalone';
import { accessibilityFindings } from './accessibility';
import { randomAddress } from '../support/random-wallet';

export interface OperatorsWorld {
  standalone(): Standalone;
  page(): Page;
  base(): string;
  open(path: string): Promise<void>;
  push(name: string): Promise<void>;
  see(text: string | RegExp): Promise<void>;
  answer(name: string): Promise<void>;
  openMarket(question: string): Promise<{ id: number }>;
  complaints(): readonly string[];
}

const SCRIPT = '<script>alert(1)</script>';

const STUCK: PaymentView = {
  ...{ id: 7, status: 'submitted', operation: 'deposit', amount: 5, transaction: null },
  ...{ payer: `0x${'1'.repeat(40)}`, asset: `0x${'2'.repeat(40)}`, nonce: `0x${'3'.repeat(64)}` },
  ...{ reason: SCRIPT, decision: null },
  ...{ createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:00:00.000Z' },
  validBefore: '2026-11-21T12:05:00.000Z',
};

export function moneyAndFeedsTests(world: OperatorsWorld): void {
  const { open, push, see, answer } = world;
  const part = (summary: string) => world.page().locator('details', { hasText: summary });

  it.each([
    ['It has arrived', 'Confirm', 'confirm', 'delivered', 'submitted'],
    ['It has not arrived', 'Reject', 'reject', 'rejected', 'claimed'],
  ] as const)('decides a payment of unknown outcome: %s', async (label, yes, verb, status, before) => {
    const page = world.page();
    const sent: unknown[] = [];
    // The facilitator of play money leaves no payment undecided, so the test fakes such a payment.
    await page.route('**/api/v2/admin/payments?*', (route) =>
      route.fulfill({
        json: { payments: [{ ...STUCK, status: before }], limit: 20, offset: 0, hasMore: false },
      }),
    );
    await page.route(`**/api/v2/admin/payments/7/${verb}`, (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ json: { ...STUCK, status } });
    });
    await open('/money');
    await see('Payment 7: $5.00');
    await page.getByText(`${label}…`, { exact: true }).click();
    await part(`${label}…`).getByLabel('How you know').fill('Seen on the explorer.');
    expect(await accessibilityFindings(page)).toEqual([]);
    await push(label);
    await answer('Cancel');
    expect(sent).toEqual([]);
    await push(label);
    await see('This is final.');
    await answer(yes);
    await see(`Payment 7 is ${status}.`);
    expect(sent).toEqual([{ reason: 'Seen on the explorer.' }]);
    expect(await page.locator('[data-view] script').count()).toBe(0);
    expect(world.complaints()).toEqual([]);
  });

  it('gives a withdrawal back that cannot be paid, and does not confirm one for which nothing was sent', async () => {
    const page = world.page();
    const { market } = world.standalone();
    const wallet = randomAddress();
    const { id } = await world.openMarket('Will the house lose?');
    await market.deposit({ address: wallet, amount: 50, reference: 'stake of the winner' });
    await market.placeTrade({ market: id, wallet, side: 'YES', amount: 40 });
    await market.resolveMarket({ market: id, outcome: 'YES' });
    const { balance } = await market.getBalance({ wallet });
    const withdrawal = await market.requestWithdrawal({ wallet, amount: 20 });
    await open('/money');
    await see(`Withdrawal ${withdrawal.id}: $20.00`);
    await page.getByText('It was paid…', { exact: true }).click();
    await page.getByLabel('Hash of the transaction that paid it').fill(`0x${'5e'.repeat(32)}`);
    expect(await accessibilityFindings(page)).toEqual([]);
    await push('It was paid');
    await answer('It was paid');
    await see('It may still end by itself. Wait, and look again later.');
    await page.getByText('It was not paid…', { exact: true }).click();
    await part('It was not paid…').getByLabel('How you know').fill('The treasury is empty.');
    await push('It was not paid');
    await answer('Give the amount back');
    await see(`Withdrawal ${withdrawal.id} has failed; the amount was given back.`);
    expect(await market.getBalance({ wallet })).toMatchObject({ balance, available: balance });
    expect(world.complaints().filter((text) => !text.includes('409'))).toEqual([]);
  });

  it('takes facts out that a consumer has put aside, moves it, and removes it', async () => {
    const page = world.page();
    const { market } = world.standalone();
    const fail = (): Promise<void> => Promise.reject(new Error(SCRIPT));
    const handle = await market.consume('books', fail, { from: 'now', attempts: 1 });
    await world.openMarket('Will a consumer handle this?');
    await market.runJobs();
    await handle.stop();
    const parked = async (): Promise<number> => (await market.listParkedFacts('books')).total;
    const before = await parked();
    await open('/feeds');
    await page.getByText('Facts that it has put aside').click();
    await see(SCRIPT);
    expect(await page.locator('[data-view] script').count()).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take out' }).first().click();
    await answer('Take it out');
    await see(/^Fact \d+ is taken out\.$/);
    expect(await parked()).toBe(before - 1);
    await page.getByText('Facts that it has put aside').click();
    await push('Try all once more');
    await see('books tries them once more.');
    await page.getByText('Move its position…').click();
    await page.getByLabel('Go on from').selectOption('oldest');
    await push('Move');
    await answer('Move it');
    await see('books goes on after fact 0.');
    await push('Remove');
    await answer('Remove it');
    await see('This consumer is removed.');
    expect((await market.consumers()).consumers).toEqual([]);
    expect(world.complaints()).toEqual([]);
  });

  it('makes a new secret of a webhook, shown once, and has it send again', async () => {
    const page = world.page();
    const { market } = world.standalone();
    const { id } = await market.createWebhook({ url: `${world.base()}/no-endpoint` });
    await open('/feeds');
    await push('New secret');
    await answer('Make it');
    await see('Copy the new secret now: it is shown once.');
    expect(await page.getByText(/^whsec_/).count()).toBe(1);
    await see('Older secrets sign until');
    expect(await accessibilityFindings(page)).toEqual([]);
    await push('I have stored it');
    await see('The secret is not shown any more.');
    await page.getByText('Send again from…').click();
    await page.getByLabel('Number of the first fact').fill('1');
    await push('Send from there');
    await answer('Send from there');
    await see('Facts from 1 on are sent.');
    expect(await page.getByText(/^whsec_/).count()).toBe(0);
    const { acts } = await market.listOperatorLog({ action: 'webhook.replay' });
    expect(acts.map(({ target, details }) => [target, details])).toEqual([[String(id), { seq: 1 }]]);
    await market.removeWebhook({ id });
    expect(world.complaints()).toEqual([]);
  });
}
