import { InvalidArgumentError } from 'commander';

/** Reads an integer of an argument. Commander tells the person which argument is wrong. */
export function integerFrom(low: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (number >= low) return number;
    throw new InvalidArgumentError(`expected an integer from ${low}.`);
  };
}

/** An integer of the database, in millionths, as a decimal number: `-1500000` is `-1.5`. Other texts stay as they are. */
export function fromMillionths(text: string): string {
  const [, sign = '', digits] = /^(-?)(\d+)$/.exec(text) ?? [];
  if (digits === undefined) return text;
  const padded = digits.padStart(7, '0');
  const fraction = padded.slice(-6).replace(/0+$/, '');
  return `${sign}${padded.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`;
}
