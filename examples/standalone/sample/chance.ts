/** The random choices of `sample`. The same seed gives the same sequence of numbers. */
import { seededRandom } from 'express-prediction-market/testing';

export interface Chance {
  /** At least 0 and less than 1. */
  fraction(): number;
  between(low: number, high: number): number;
  /** A number around 0: most are within 1, and none is beyond 3. */
  nearZero(): number;
  oneOf<Item>(items: readonly Item[]): Item;
}

export function chanceOf(seed: number): Chance {
  const random = seededRandom(`sample ${seed}`);
  const fraction = (): number => Buffer.from(random.bytes(4)).readUInt32LE() / 2 ** 32;
  return {
    fraction,
    between: (low, high) => low + (high - low) * fraction(),
    nearZero: () => (fraction() + fraction() + fraction() - 1.5) * 2,
    oneOf(items) {
      const item = items[Math.floor(fraction() * items.length)];
      if (item === undefined) throw new RangeError('there is nothing to choose from');
      return item;
    },
  };
}
