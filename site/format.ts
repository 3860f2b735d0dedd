/**
 * Figures and dates for readers. Dates are in UTC, because the server does not know the reader's time zone.
 * `moment` names the zone; `day` and `shortMoment` do not.
 */

/** A probability as `54.3%` for `0.5432`. Whole percentages have no fraction. */
export function percent(probability: number): string {
  const text = (probability * 100).toFixed(1);
  return `${text.endsWith('.0') ? text.slice(0, -2) : text}%`;
}

/** A probability with one decimal, so that the figures of a column line up. */
export const percentInColumn = (probability: number): string => `${(probability * 100).toFixed(1)}%`;

/** An amount as `$1,234.50` for `1234.5`. */
export function usd(amount: number): string {
  const [whole = '0', fraction = '00'] = Math.abs(amount).toFixed(2).split('.');
  return `${amount < 0 ? '-' : ''}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}

/** An amount as `$1.2M` for `1234567`, for narrow places. */
export function shortUsd(amount: number): string {
  for (const [size, letter] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e4, 'k'],
  ] as const) {
    if (amount >= size)
      return `$${(amount / (letter === 'k' ? 1e3 : size)).toFixed(1).replace(/\.0$/, '')}${letter}`;
  }
  return usd(amount);
}

/** A number of shares with two decimals, `1,234.50`, so that the figures of a column line up. */
export function shares(count: number): string {
  return count.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',');
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const two = (value: number): string => String(value).padStart(2, '0');

/** A date, such as `24 Nov 2026`. */
export function day(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
}

/** A date with time and zone, such as `24 Nov 2026, 14:05 UTC`. */
export function moment(iso: string): string {
  const date = new Date(iso);
  return `${day(iso)}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())} UTC`;
}

/** A date with time, such as `24 Nov, 14:05`, for axes and tables that name the zone elsewhere. */
export function shortMoment(iso: string): string {
  const date = new Date(iso);
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''}, ${time}`;
}

/** An address as `0x1234…abcd`, for places where it is one word of a sentence. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
