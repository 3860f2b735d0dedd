import { describe, expect, it } from '@jest/globals';
import { TransactionLock } from '../../adapters/storage/memory/transaction-lock';
import { createGate } from '../support/gate';

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('TransactionLock', () => {
  it('lets writers in one at a time, in the order of arrival', async () => {
    const lock = new TransactionLock();
    const log: string[] = [];
    const writer = (name: string) =>
      lock.exclusive(async () => {
        log.push(`${name} in`);
        await settle();
        log.push(`${name} out`);
      });
    await Promise.all(['a', 'b', 'c'].map(writer));
    expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  });

  it('runs a statement at once while there is no writer, also beside a snapshot', async () => {
    const lock = new TransactionLock();
    const snapshot = createGate();
    const running = lock.shared(() => snapshot.opened);
    let ran = false;
    const statement = lock.whenIdle(() => {
      ran = true;
      return 'answer';
    });
    expect(ran).toBe(true);
    expect(await statement).toBe('answer');
    snapshot.open();
    await running;
  });

  it('runs waiting statements between the writer under way and the next', async () => {
    const lock = new TransactionLock();
    const log: string[] = [];
    const first = createGate();
    const running = lock.exclusive(async () => {
      await first.opened;
      log.push('first writer');
    });
    const next = lock.exclusive(async () => {
      log.push('second writer');
    });
    const statement = lock.whenIdle(() => log.push('statement'));
    await settle();
    expect(log).toEqual([]);
    first.open();
    await Promise.all([running, next, statement]);
    expect(log).toEqual(['first writer', 'statement', 'second writer']);
  });

  it('lets snapshots share, makes writers wait for them and later snapshots for the writer', async () => {
    const lock = new TransactionLock();
    const log: string[] = [];
    const [one, two] = [createGate(), createGate()];
    const snapshots = [lock.shared(() => one.opened), lock.shared(() => two.opened)];
    const writer = lock.exclusive(async () => {
      log.push('writer');
    });
    const late = lock.shared(async () => {
      log.push('late snapshot');
    });
    one.open();
    await settle();
    expect(log).toEqual([]);
    two.open();
    await Promise.all([...snapshots, writer, late]);
    expect(log).toEqual(['writer', 'late snapshot']);
  });

  it('goes on after work and statements that throw', async () => {
    const lock = new TransactionLock();
    const fail = async (): Promise<never> => {
      throw new Error('mine');
    };
    await expect(lock.exclusive(fail)).rejects.toThrow('mine');
    await expect(lock.shared(fail)).rejects.toThrow('mine');
    const statement = lock.whenIdle(() => {
      throw new Error('mine too');
    });
    await expect(statement).rejects.toThrow('mine too');
    expect(await lock.exclusive(async () => 'in')).toBe('in');
  });
});
