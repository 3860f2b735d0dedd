import { InvalidArgumentError } from 'commander';

/** Reads an integer of an argument. Commander tells the person which argument is wrong. */
export function integerFrom(low: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (number >= low) return number;
    throw new InvalidArgumentError(`expected an integer from ${low}.`);
  };
}
