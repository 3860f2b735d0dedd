import { countdownText, LOOK_AGAIN_MS, startCountdowns } from '../../../site/browser/live/countdown';
import { createServerClock } from '../../../site/browser/live/server-clock';
import { manualTimers } from '../../jobs/manual-timers';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const SERVER = Date.parse('2026-11-21T12:00:00Z');
const answer = (server: number, age?: number): Headers =>
  new Headers({ date: new Date(server).toUTCString(), ...(age !== undefined && { age: String(age) }) });

describe('a countdown', () => {
  it.each([
    [26 * HOUR, 'in 1 day 2 h', HOUR],
    [25.5 * HOUR, 'in 1 day 2 h', HOUR / 2],
    [24 * HOUR, 'in 1 day', 60 * SECOND],
    [HOUR + 1, 'in 1 h 1 min', 1],
    [HOUR, 'in 1 h', SECOND],
    [61.5 * SECOND, 'in 1 min 2 s', 0.5 * SECOND],
    [1, 'in 1 s', 1],
    [0, 'any moment now', null],
    [-HOUR, 'any moment now', null],
    [NaN, 'any moment now', null],
  ])('of %d ms says %s', (left, text, changesIn) => {
    expect(countdownText(left)).toEqual({ text, changesIn });
  });

  function page(left: number) {
    const timers = manualTimers();
    const clock = { now: SERVER as number | null, isVisible: true };
    const shown: string[] = [];
    let reached = 0;
    const draw = startCountdowns({
      timers,
      now: () => clock.now,
      places: () => [{ until: SERVER + left, show: (text) => void shown.push(text) }],
      isVisible: () => clock.isVisible,
      reached: () => (reached += 1),
    });
    return { timers, clock, shown, draw, reached: () => reached };
  }

  it('changes when its text changes, and looks again while what is due has not come', async () => {
    const { timers, clock, shown, draw, reached } = page(2 * SECOND);
    draw();
    for (const seconds of [1, 2, 32]) {
      clock.now = SERVER + seconds * SECOND;
      await timers.fire();
    }
    expect(shown).toEqual(['in 2 s', 'in 1 s', 'any moment now', 'any moment now']);
    expect([reached(), timers.delays()]).toEqual([2, [LOOK_AGAIN_MS]]);
  });

  it('has no timer while the page is hidden, and is right when it is seen again', async () => {
    const { timers, clock, shown, draw } = page(10 * SECOND);
    draw();
    clock.isVisible = false;
    draw();
    expect(timers.delays()).toEqual([]);
    clock.now = SERVER + 7 * SECOND;
    clock.isVisible = true;
    draw();
    expect([shown, timers.delays()]).toEqual([['in 10 s', 'in 3 s'], [SECOND]]);
  });

  it('says nothing before the server has told the time', () => {
    const { timers, clock, shown, draw } = page(10 * SECOND);
    clock.now = null;
    draw();
    expect([shown, timers.delays()]).toEqual([[], []]);
  });
});

describe('the time of the server', () => {
  it('comes from its answers, within the second that they tell, and goes on between them', () => {
    let monotonic = 5_000;
    const clock = createServerClock(() => monotonic);
    expect(clock.now()).toBeNull();
    clock.heard(answer(SERVER), 4_900, 5_000);
    expect(clock.now()).toBe(SERVER + 550);
    monotonic += 10_000;
    expect(clock.now()).toBe(SERVER + 10_550);
  });

  it('does not jump for an answer that it fits, and follows one that it does not', () => {
    const clock = createServerClock(() => 9_000);
    clock.heard(answer(SERVER), 9_000, 9_000);
    const before = clock.now();
    clock.heard(answer(SERVER), 9_000, 9_900);
    expect(clock.now()).toBe(before);
    // On some systems the monotonic clock stands still while the computer sleeps.
    clock.heard(answer(SERVER + HOUR), 9_000, 9_000);
    expect(clock.now()).toBe(SERVER + HOUR + 500);
  });

  it('counts the time for which a cache has kept the answer, and takes no answer without a time', () => {
    const clock = createServerClock(() => 0);
    clock.heard(answer(SERVER, 30), 0, 0);
    expect(clock.now()).toBe(SERVER + 30_500);
    clock.heard(new Headers(), 0, 0);
    clock.heard(new Headers({ date: 'soon' }), 0, 0);
    expect(clock.now()).toBe(SERVER + 30_500);
  });
});
