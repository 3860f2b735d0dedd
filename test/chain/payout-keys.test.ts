import { decodeState } from '../../adapters/payout/evm/state';
import { describeWith } from '../support/optional';
import { FINAL_BLOCKS, startChain, type Chain } from './support/anvil';
import { finished, fundedTreasury, prepared } from './support/treasury';
import { until } from '../support/until';

describeWith('anvil', 'payouts of a key that was replaced', (binary) => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startChain(binary);
  });
  afterEach(() => chain.automine(true));
  afterAll(() => chain.stop());

  const anyTrouble = { status: 'pending', trouble: expect.any(String) as string, unknown: true };

  it('end beside those of the new key, which begins at its own nonces', async () => {
    const [before, after] = [await fundedTreasury(chain), await fundedTreasury(chain)];
    const old = [before.order(), before.order(), before.order()];
    const states: string[] = [];
    for (const asked of old) states.push(await prepared(before.payout, asked, states));
    const asked = after.order();
    const state = await prepared(after.payout, asked, states);
    expect(decodeState(state)).toMatchObject({ sender: after.address, nonce: 0 });
    for (const each of [...states, state]) await after.payout.submit(each);
    for (const each of [...states, state])
      expect((await finished(after.payout, each)).status).toBe('confirmed');
    for (const each of [...old, asked]) expect(await chain.tokens(each.to)).toBe(each.amount);
  });

  it('are not signed again by the new key when they are stuck', async () => {
    const stuckAfterMs = 0;
    const [before, after] = [await fundedTreasury(chain), await fundedTreasury(chain, { stuckAfterMs })];
    const asked = before.order();
    const state = await prepared(before.payout, asked);
    await chain.automine(false);
    await before.payout.submit(state);
    expect(await after.payout.check(state)).toEqual(anyTrouble);
    expect(await before.make({ stuckAfterMs }).check(state)).toMatchObject({ status: 'renewed' });
    await chain.mine();
    expect((await after.payout.check(state)).status).toBe('confirmed');
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('are never declared lost by the new key, whose nonces prove nothing, and are by the old key on proof', async () => {
    const [before, after] = [await fundedTreasury(chain), await fundedTreasury(chain)];
    const asked = before.order();
    const state = await prepared(before.payout, asked);
    for (const treasury of [before, after]) {
      const other = await prepared(treasury.payout, treasury.order());
      await treasury.payout.submit(other);
      await finished(treasury.payout, other);
    }
    await chain.mine(30);
    expect(await after.payout.check(state)).toEqual({ ...anyTrouble, ending: true });
    await chain.mine(FINAL_BLOCKS);
    expect(await after.payout.check(state)).toEqual(anyTrouble);
    expect((await before.payout.check(state)).status).toBe('lost');
  });

  it('end when they were prepared by a release that named no sender', async () => {
    const [before, after] = [await fundedTreasury(chain), await fundedTreasury(chain)];
    const asked = before.order();
    const { sender, ...rest } = JSON.parse(await prepared(before.payout, asked)) as { sender: string };
    const state = JSON.stringify({ ...rest, version: 1 });
    expect(decodeState(state).sender).toBe(sender);
    expect(decodeState(await prepared(after.payout, after.order(), [state])).nonce).toBe(0);
    await after.payout.submit(state);
    expect((await finished(after.payout, state)).status).toBe('confirmed');
    expect(await chain.tokens(asked.to)).toBe(asked.amount);
  });

  it('that wait behind an unused nonce go on when the next payout fills it', async () => {
    const { payout, order, make } = await fundedTreasury(chain);
    const [first, second] = [order(), order()];
    const gone = await prepared(payout, order());
    const waiting = await prepared(payout, first, [gone]);
    await payout.submit(waiting);
    const next = await prepared(make(), second, [waiting]);
    expect(decodeState(next).nonce).toBe(0);
    await payout.submit(next);
    await until(
      async () => {
        await payout.submit(waiting).catch(() => undefined);
        return (await chain.tokens(first.to)) > 0n && (await chain.tokens(second.to)) > 0n;
      },
      { what: 'both are paid' },
    );
    expect((await finished(payout, waiting)).status).toBe('confirmed');
  });
});
