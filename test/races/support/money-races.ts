import type { Wallet } from 'ethers';
import { TEST_START } from '../../../testing/test-clock';
import { testWallet, testWallets } from '../../../testing/test-wallets';
import { usdToMicros } from '../../../src/domain/money';
import { atOnce, ofStatus, tally } from './many';
import { marketBody, type Answer, type RaceWorld } from './world';

interface TradeBody {
  id: number;
  totalCost: number;
  shares: number;
  code?: string;
}

export function moneyRaces(world: () => RaceWorld): void {
  const order = (
    market: number,
    key: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Answer<TradeBody>> =>
    world().call<TradeBody>('POST', `/public/markets/${market}/trade`, { key, body, headers });

  const micros = async (wallet: Wallet): Promise<bigint> => usdToMicros(await world().balance(wallet));

  it('a wallet with 50 USD makes fifty of 100 purchases for 1 USD', async () => {
    const wallet = testWallet('buyer');
    const market = await world().openMarket('Is a balance ever overdrawn?');
    const { apiKey } = await world().issueKey(wallet);
    await world().fund(wallet, 50);
    const answers = await atOnce(100, (index) =>
      order(market, apiKey, { side: index % 2 === 0 ? 'YES' : 'NO', amount: 1 }),
    );
    expect(tally(answers)).toEqual({ '201': 50, '409 INSUFFICIENT_BALANCE': 50 });
    const spent = ofStatus(answers, 201).reduce((sum, { body }) => sum + usdToMicros(body.totalCost), 0n);
    expect(await micros(wallet)).toBe(50_000_000n - spent);
    await world().expectCleanAudit();
  });

  it('20 sales of a whole position sell it once', async () => {
    const wallet = testWallet('seller');
    const market = await world().openMarket('Is a position sold twice?');
    const { apiKey } = await world().issueKey(wallet);
    await world().fund(wallet, 20);
    const bought = await order(market, apiKey, { side: 'YES', amount: 10 });
    const answers = await atOnce(20, () =>
      order(market, apiKey, { side: 'YES', action: 'sell', shares: 'all' }),
    );
    expect(tally(answers)).toEqual({ '201': 1, '409 INSUFFICIENT_SHARES': 19 });
    expect(ofStatus(answers, 201)[0]?.body.shares).toBe(bought.body.shares);
    await world().expectCleanAudit();
  });

  it('100 copies of an order with one idempotency key trade once, and all get the same answer', async () => {
    const wallet = testWallet('copies');
    const market = await world().openMarket('Does a copy trade?');
    const { apiKey } = await world().issueKey(wallet);
    await world().fund(wallet, 1_000);
    const answers = await atOnce(100, () =>
      order(market, apiKey, { side: 'YES', amount: 3 }, { 'idempotency-key': 'one' }),
    );
    expect(tally(answers)).toEqual({ '201': 100 });
    const [first] = answers;
    for (const { body } of answers) expect(body).toEqual(first?.body);
    const originals = answers.filter(({ headers }) => headers.get('idempotency-replayed') === null);
    expect(originals).toHaveLength(1);
    const copies = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(copies).toHaveLength(99);
    const { total } = await world().must<{ total: number }>(200, 'GET', `/public/markets/${market}/trades`, {
      key: apiKey,
    });
    expect(total).toBe(1);
    expect(await micros(wallet)).toBe(1_000_000_000n - usdToMicros(first?.body.totalCost ?? 0));
  });

  it('an idempotency key stands for one of 50 different orders', async () => {
    const wallet = testWallet('conflicts');
    const market = await world().openMarket('Does one key stand for two orders?');
    const { apiKey } = await world().issueKey(wallet);
    await world().fund(wallet, 1_000);
    const answers = await atOnce(50, (index) =>
      order(market, apiKey, { side: 'NO', amount: 1 + index }, { 'idempotency-key': 'same' }),
    );
    expect(tally(answers)).toEqual({ '201': 1, '409 IDEMPOTENCY_CONFLICT': 49 });
    await world().expectCleanAudit();
  });

  it('50 deposits with the same reference credit it once', async () => {
    const wallet = testWallet('depositor');
    const body = { amount: 25, reference: 'deposit of fifty copies' };
    const answers = await atOnce(50, () =>
      world().call<object>('POST', `/ops/accounts/${wallet.address}/deposits`, { body }),
    );
    expect(tally(answers)).toEqual({ '200': 50 });
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
    expect(await world().balance(wallet)).toBe(25);
    await world().expectCleanAudit();
  });

  it('one of 50 wallets is credited under a reference', async () => {
    const wallets = testWallets(50);
    const body = { amount: 7, reference: 'deposit of fifty wallets' };
    const answers = await Promise.all(
      wallets.map(({ address }) =>
        world().call<object>('POST', `/ops/accounts/${address}/deposits`, { body }),
      ),
    );
    expect(tally(answers)).toEqual({ '200': 1, '409 IDEMPOTENCY_CONFLICT': 49 });
    const balances = await Promise.all(wallets.map((wallet) => world().balance(wallet)));
    expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(7);
    await world().expectCleanAudit();
  });

  it('fifty identical questions get fifty slugs', async () => {
    const creator = testWallet('asker');
    await world().must(200, 'POST', `/ops/creators/${creator.address}/approve`);
    const { apiKey: key } = await world().issueKey(creator);
    const body = marketBody('Will all ask this?', Date.parse(TEST_START));
    const answers = await atOnce(50, () =>
      world().call<{ id: number; slug: string }>('POST', '/public/markets', { key, body }),
    );
    expect(tally(answers)).toEqual({ '201': 50 });
    expect(new Set(answers.map((answer) => answer.body.slug)).size).toBe(50);
    for (const { body: market } of answers) {
      const found = await world().must<{ id: number }>(200, 'GET', `/public/markets/${market.slug}`, { key });
      expect(found.id).toBe(market.id);
    }
  });

  it('20 resolutions give a market one outcome, and pay once', async () => {
    const wallet = testWallet('winner');
    const market = await world().openMarket('Is there one outcome?');
    const { apiKey } = await world().issueKey(wallet);
    await world().fund(wallet, 100);
    const sides = ['YES', 'NO'] as const;
    const bought = await Promise.all(sides.map((side) => order(market, apiKey, { side, amount: 20 })));
    const before = await micros(wallet);
    const answers = await atOnce(20, (index) =>
      world().call<object>('POST', `/ops/markets/${market}/resolve`, { body: { outcome: sides[index % 2] } }),
    );
    expect(tally(answers)).toEqual({ '200': 10, '409 ALREADY_RESOLVED': 10 });
    const winner = sides.findIndex((_, index) => answers[index]?.status === 200);
    expect((await micros(wallet)) - before).toBe(usdToMicros(bought[winner]?.body.shares ?? 0));
    await world().expectCleanAudit();
  });

  it('the trades of a market and the end of its trading come in one order', async () => {
    const wallet = testWallet('late');
    const market = await world().openMarket('Are there trades after the close?');
    const { apiKey } = await world().issueKey(wallet);
    await world().fund(wallet, 1_000);
    const [closed, ...answers] = await Promise.all([
      world().call<object>('POST', `/ops/markets/${market}/resolve`, { body: { outcome: 'YES' } }),
      ...Array.from({ length: 40 }, () => order(market, apiKey, { side: 'YES', amount: 1 })),
    ]);
    expect(closed?.status).toBe(200);
    const { '201': traded = 0, '409 MARKET_CLOSED': refused = 0, ...others } = tally(answers);
    expect(others).toEqual({});
    expect(traded + refused).toBe(40);
    const { total } = await world().must<{ total: number }>(200, 'GET', `/public/markets/${market}/trades`, {
      key: apiKey,
    });
    expect(total).toBe(traded);
    const { positions } = await world().must<{ positions: unknown[] }>(200, 'GET', '/public/positions', {
      key: apiKey,
    });
    expect(positions).toEqual([]);
    await world().expectCleanAudit();
  });
}
