/** The sizes behind the quick buttons of the order form. Pure. */

/** `max`: all available money, rounded down to cents. Every other choice is an amount in USD. */
export function buySize(choice: string, available: number): number {
  return choice === 'max' ? Math.floor(available * 100 + 1e-6) / 100 : Number(choice);
}

/**
 * A part of the held shares in percent, rounded down to six decimals. 100 percent is exactly what is held.
 */
export function sellSize(choice: string, held: number): number {
  const percent = Number(choice);
  return percent === 100 ? held : Math.floor(held * percent * 1e4 + 1e-6) / 1e6;
}
