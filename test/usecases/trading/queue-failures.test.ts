import { describe, expect, it } from '@jest/globals';
import { PredictionMarketError, serviceUnavailable } from '../../../src/domain/errors';
import { order, outcomeOf, wallet } from './support';
import { settle, watchedWorld } from './watched-storage';
import { createGate } from '../../support/gate';

describe('The trade queue, when a batch fails', () => {
  it('finds the order at which the storage fails, and serves its neighbours', async () => {
    const { world, control, queue } = await watchedWorld();
    const poison = wallet(2);
    control.fault = async (transaction) => {
      const [position] = await transaction.positions.find([{ marketId: 1, wallet: poison }]);
      if (position !== undefined) throw new Error('cannot store this');
    };
    const wallets = [1, 3, 1, 2, 3, 1, 3].map(wallet);
    const outcomes = await Promise.all(wallets.map((one) => outcomeOf(queue.place(order({ wallet: one })))));
    const failed = outcomes.map((outcome) => 'code' in outcome);
    expect(failed).toEqual(wallets.map((one) => one === poison));
    expect(outcomes[3]).toEqual({ code: 'Error: cannot store this' });
    const ids = outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value.view.id] : []));
    expect(ids).toEqual([...ids].sort((left, right) => left - right));
    control.fault = null;
    expect((await world.audit()).differences).toEqual([]);
    expect((await outcomeOf(queue.place(order({ wallet: poison })))) as object).toHaveProperty('value');
  });

  it('tells all waiting callers at once that the storage is away, and trades again when it is back', async () => {
    const { world, control, queue } = await watchedWorld();
    const gate = createGate();
    control.gate = gate.opened;
    control.fault = () => Promise.reject(serviceUnavailable('away'));
    const first = outcomeOf(queue.place(order({ wallet: wallet(1) })));
    await settle();
    const waiting = [2, 3].map((number) => outcomeOf(queue.place(order({ wallet: wallet(number) }))));
    gate.open();
    expect(await Promise.all([first, ...waiting])).toEqual(
      Array.from({ length: 3 }, () => ({ code: 'SERVICE_UNAVAILABLE' })),
    );
    expect(control.transactions).toBe(1);
    control.fault = null;
    const { view } = await queue.place(order({ wallet: wallet(1) }));
    expect(view.pricePerShare).toBeGreaterThan(0.5);
    expect((await world.audit()).differences).toEqual([]);
  });

  it('does not try the rest of a failed batch when the storage goes away meanwhile', async () => {
    const { control, queue } = await watchedWorld();
    control.fault = () =>
      Promise.reject(control.transactions === 1 ? new Error('something') : serviceUnavailable('away'));
    const outcomes = await Promise.all(
      [1, 2, 3].map((number) => outcomeOf(queue.place(order({ wallet: wallet(number) })))),
    );
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => ({ code: 'SERVICE_UNAVAILABLE' })));
    expect(control.transactions).toBe(2);
  });
});

describe('Draining the queue', () => {
  it('waits for what is in flight, what waits, and orders whose market is being looked up', async () => {
    const { queue } = await watchedWorld();
    const done: string[] = [];
    const note = (name: string) => (): void => void done.push(name);
    void queue.place(order({ wallet: wallet(1), market: 'will-it-rain-tomorrow' })).then(note('slug'));
    await queue.drain();
    expect(done).toEqual(['slug']);
    void queue.place(order({ wallet: wallet(1) })).then(note('one'));
    void queue.place(order({ wallet: wallet(2) })).then(note('two'));
    await queue.drain();
    expect(done).toEqual(['slug', 'one', 'two']);
  });

  it('resolves at once when there is nothing to wait for, and after failures', async () => {
    const { queue } = await watchedWorld();
    await queue.drain();
    const failed = outcomeOf(queue.place(order({ wallet: wallet(1), market: 'no-such-market' })));
    await queue.drain();
    expect(await failed).toEqual({ code: 'MARKET_NOT_FOUND' });
  });

  it('rejects with refusals that callers can tell apart by code', async () => {
    const { queue } = await watchedWorld();
    await expect(queue.place(order({ wallet: wallet(9) }))).rejects.toBeInstanceOf(PredictionMarketError);
  });
});
