import { sharedAnswers } from '../../src/http/shared-answers';
import { manualTimers, quiet } from '../jobs/manual-timers';
import { createGate } from '../support/gate';
import { until } from '../support/until';

const bytes = (text: string): Promise<Buffer> => Promise.resolve(Buffer.from(text));

function asking() {
  const share = sharedAnswers();
  let made = 0;
  const ask = async (key: string): Promise<string> =>
    (await share(key, () => bytes(`${key} ${(made += 1)}`))).toString();
  return { share, ask, made: () => made };
}

describe('A shared answer', () => {
  it('is made once for all equal requests of a turn of the event loop, and again in the next turn', async () => {
    const { ask } = asking();
    expect(await Promise.all([ask('a'), ask('a')])).toEqual(['a 1', 'a 1']);
    expect(await ask('a')).toBe('a 2');
  });

  it('is made for each of the requests that differ', async () => {
    const { ask, made } = asking();
    await Promise.all([ask('a'), ask('b'), ask('a')]);
    expect(made()).toBe(2);
  });

  it('is not made before all that share it have asked', async () => {
    const { ask, made } = asking();
    const answer = ask('a');
    await Promise.resolve();
    expect(made()).toBe(0);
    expect(await answer).toBe('a 1');
  });

  it('is not given to requests that come while it is made: they share the next one', async () => {
    const { share, ask, made } = asking();
    const [begun, gate] = [createGate(), createGate()];
    const earlier = share('a', async () => {
      begun.open();
      await gate.opened;
      return bytes('earlier');
    });
    await begun.opened;
    const later = [ask('a'), ask('a')];
    expect(await ask('b')).toBe('b 1');
    expect(made()).toBe(1);
    gate.open();
    expect((await earlier).toString()).toBe('earlier');
    expect(await Promise.all(later)).toEqual(['a 2', 'a 2']);
  });

  it('that hangs holds later requests back for a second only', async () => {
    const timers = manualTimers();
    const share = sharedAnswers(timers);
    const begun = createGate();
    void share('a', () => {
      begun.open();
      return new Promise(() => undefined);
    });
    await begun.opened;
    const later = share('a', () => bytes('later'));
    expect(timers.delays()).toEqual([1_000]);
    await timers.fire();
    // A shared answer waits two milliseconds for further requests before it is made.
    expect(timers.delays()).toEqual([2]);
    await timers.fire();
    expect((await later).toString()).toBe('later');
    expect((await share('a', () => bytes('last'))).toString()).toBe('last');
  });

  it('that waited for an earlier one is shared by the requests of the next two milliseconds', async () => {
    const timers = manualTimers();
    const share = sharedAnswers(timers);
    const [begun, gate] = [createGate(), createGate()];
    const earlier = share('a', async () => {
      begun.open();
      await gate.opened;
      return bytes('earlier');
    });
    await begun.opened;
    const waiting = share('a', () => bytes('next'));
    gate.open();
    await earlier;
    await quiet();
    const joined = share('a', () => bytes('not made'));
    expect(timers.delays()).toEqual([2]);
    await timers.fire();
    expect((await Promise.all([waiting, joined])).map(String)).toEqual(['next', 'next']);
  });

  it('comes also while a host tests with fake timers', async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    try {
      const { share } = asking();
      const [begun, gate] = [createGate(), createGate()];
      const earlier = share('a', async () => {
        begun.open();
        await gate.opened;
        return bytes('earlier');
      });
      await begun.opened;
      let answer = '';
      void share('a', () => bytes('later')).then((made) => (answer = made.toString()));
      gate.open();
      await earlier;
      await until(() => answer === 'later', { withinMs: 5_000 });
    } finally {
      jest.useRealTimers();
    }
  });

  it('fails for those who share it, and for no other', async () => {
    const { share, ask } = asking();
    const begun = createGate();
    const fail = (): Promise<Buffer> => {
      begun.open();
      return Promise.reject(new Error('no list'));
    };
    const failing = Promise.allSettled([share('a', fail), share('a', fail)]);
    const other = ask('b');
    await begun.opened;
    const after = ask('a');
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await other).toBe('b 1');
    expect(await after).toBe('a 2');
  });
});
