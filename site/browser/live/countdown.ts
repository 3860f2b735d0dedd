/** Shows in words how long it is until an instant. */
import type { Timers } from '../../../src/client/live/link';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * `left` and `changesIn` are in milliseconds. `changesIn` is the time until the text changes; null when nothing is
 * left.
 */
export function countdownText(left: number): { text: string; changesIn: number | null } {
  if (!(left > 0)) return { text: 'any moment now', changesIn: null };
  const step = left > DAY ? HOUR : left > HOUR ? MINUTE : SECOND;
  const shown = Math.ceil(left / step) * step;
  return { text: `in ${durationText(shown)}`, changesIn: left - (shown - step) };
}

function durationText(duration: number): string {
  const days = Math.floor(duration / DAY);
  const parts: [number, string][] = [
    [days, days === 1 ? 'day' : 'days'],
    [Math.floor(duration / HOUR) % 24, 'h'],
    [Math.floor(duration / MINUTE) % 60, 'min'],
    [Math.floor(duration / SECOND) % 60, 's'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** A place on the page that shows how long it is until `until`, an instant in milliseconds. */
export interface CountdownPlace {
  until: number;
  show(text: string): void;
}

export interface CountdownOptions {
  timers: Timers;
  /** The server's time in milliseconds; null while it is not known. The countdowns then stay as they are. */
  now(): number | null;
  places(): CountdownPlace[];
  /** A hidden page does not count down. */
  isVisible(): boolean;
  /** Called at each drawing in which an instant has come. */
  reached(): void;
}

/** After an instant has come, the countdown is drawn again after at most this time. */
export const LOOK_AGAIN_MS = 30_000;

/** Returns a function that draws the countdowns now, and again whenever their texts change. */
export function startCountdowns({ timers, now, places, isVisible, reached }: CountdownOptions): () => void {
  let stop = (): void => undefined;
  return function draw(): void {
    stop();
    const present = now();
    if (present === null || !isVisible()) return;
    const texts = places().map(({ until, show }) => {
      const { text, changesIn } = countdownText(until - present);
      show(text);
      return changesIn;
    });
    if (texts.length === 0) return;
    if (texts.includes(null)) reached();
    stop = timers.after(Math.min(...texts.map((changesIn) => changesIn ?? LOOK_AGAIN_MS)), draw);
  };
}
