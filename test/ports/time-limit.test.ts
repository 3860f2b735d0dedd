import { startTimeLimit, unlessAborted, withinTime } from '../../src/ports/time-limit';
import { manualTimers, quiet } from '../jobs/manual-timers';

const abortedError = (): Error => new Error('not waited for');

const never = new Promise<never>(() => undefined);

describe('a time limit', () => {
  it('gives the answer of the task and leaves no timer', async () => {
    const timers = manualTimers();
    expect(await withinTime(timers, 100, Promise.resolve('answer'))).toBe('answer');
    await expect(withinTime(timers, 100, Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(timers.delays()).toEqual([]);
  });

  it('rejects when the task takes longer, and ignores how the task ends', async () => {
    const timers = manualTimers();
    let fail = (_error: Error): void => undefined;
    const task = new Promise<never>((_resolve, reject) => (fail = reject));
    const limited = expect(withinTime(timers, 100, task)).rejects.toThrow('no answer within 100 ms');
    await timers.fire(100);
    await limited;
    fail(new Error('too late to matter'));
    await quiet();
  });

  it('takes an answer that had arrived when the timer went off late', async () => {
    const timers = manualTimers();
    let answer = (_value: string): void => undefined;
    const task = new Promise<string>((resolve) => (answer = resolve));
    timers.yieldTurn = () => {
      answer('in time');
      return quiet();
    };
    const limited = withinTime(timers, 100, task);
    await timers.fire(100);
    expect(await limited).toBe('in time');
  });

  it('bounds several tasks together, also one that begins after the end', async () => {
    const timers = manualTimers();
    const limit = startTimeLimit(timers, 100, () => new RangeError('all together'));
    expect(await limit.race(Promise.resolve(1))).toBe(1);
    expect(limit.isOver()).toBe(false);
    await timers.fire(100);
    await expect(limit.race(never)).rejects.toThrow(RangeError);
    expect(limit.isOver()).toBe(true);
  });
});

describe('a task that does not listen to its signal', () => {
  it('is waited for until the signal is aborted', async () => {
    const controller = new AbortController();
    expect(await unlessAborted(controller.signal, Promise.resolve(1), abortedError)).toBe(1);
    const waiting = expect(unlessAborted(controller.signal, never, abortedError)).rejects.toThrow(
      'not waited for',
    );
    controller.abort();
    await waiting;
  });

  it('is not waited for when the signal was aborted before', async () => {
    const task = Promise.reject(new Error('nothing hears of this'));
    await expect(unlessAborted(AbortSignal.abort(), task, abortedError)).rejects.toThrow('not waited for');
  });
});
