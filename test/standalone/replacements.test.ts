import { createReplacements } from '../../examples/standalone/replacements';

describe('a worker that has ended', () => {
  it('is replaced after a pause that doubles, until more than five have ended within a minute', () => {
    let now = 0;
    const pause = createReplacements(() => now);
    const pauses = [0, 10_000, 20_000, 30_000, 40_000, 50_000].map((at) => {
      now = at;
      return pause();
    });
    expect(pauses).toEqual([100, 200, 400, 800, 1600, null]);
  });

  it('counts for a minute', () => {
    let now = 0;
    const pause = createReplacements(() => now);
    for (let ends = 0; ends < 5; ends += 1) pause();
    now = 60_000;
    expect(pause()).toBe(100);
  });
});
