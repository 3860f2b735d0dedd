import { deposit } from '../../src/usecases/deposit';
import { ALICE, USD, withdrawalWorld } from './withdrawals-world';

describe('a deposit that is repeated', () => {
  it('answers to the byte as the first time, whatever the wallet has reserved and paid since', async () => {
    const world = await withdrawalWorld();
    await world.request(30n * USD);
    const command = { address: ALICE, amount: 25n * USD, reference: 'wire 7' };
    const first = await deposit(world.withPayout, command);
    expect(first).toMatchObject({ balance: 125, reserved: 30, available: 95, amount: 25 });
    await world.request(10n * USD);
    expect(await world.account()).toEqual({ balance: 125n * USD, reserved: 40n * USD });
    const repeat = async (): Promise<string> => JSON.stringify(await deposit(world.withPayout, command));
    expect(await repeat()).toBe(JSON.stringify(first));
    await world.process();
    expect(await world.account()).toEqual({ balance: 85n * USD, reserved: 0n });
    expect(await repeat()).toBe(JSON.stringify(first));
  });

  it('is refused under its reference with another amount', async () => {
    const world = await withdrawalWorld();
    const command = { address: ALICE, amount: 25n * USD, reference: 'wire 7' };
    await deposit(world.withPayout, command);
    await expect(deposit(world.withPayout, { ...command, amount: 24n * USD })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
    expect(await world.account()).toEqual({ balance: 125n * USD, reserved: 0n });
  });
});
