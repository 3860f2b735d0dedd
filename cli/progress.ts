/** A progress bar on a terminal. Pipes and log files get none. */
import type { ProgressBar } from './command-context';

const NONE: ProgressBar = { show: () => undefined, end: () => undefined };

export async function terminalProgress(title: string): Promise<ProgressBar> {
  if (!process.stderr.isTTY) return NONE;
  const { progress } = await import('@clack/prompts');
  const bar = progress({ max: 1000, output: process.stderr });
  bar.start(title);
  let shown = 0;
  return {
    show(finished, total, what) {
      const reached = total === 0 ? 0 : Math.round((1000 * finished) / total);
      // The count may begin anew, and a bar cannot go back.
      bar.advance(Math.max(0, reached - shown), `${title}: ${what}`);
      shown = Math.max(shown, reached);
    },
    end: () => bar.clear(),
  };
}
