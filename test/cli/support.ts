/** Runs commands inside the process of the test. */
import { runCommandLine } from '../../cli/program';
import type { CommandContext } from '../../cli/command-context';

export interface CommandRun {
  exitCode: number;
  /** The lines on standard output. */
  printed: string[];
  /** The lines on standard error. */
  told: string[];
  /** The texts that the progress bar got. */
  progress: string[];
}

export interface Given extends Partial<Omit<CommandContext, 'print' | 'tell' | 'progress'>> {
  /** Called with each line on standard output. */
  onPrint?: (text: string) => void;
}

export async function run(
  args: readonly string[],
  { onPrint = () => undefined, ...given }: Given = {},
): Promise<CommandRun> {
  const printed: string[] = [];
  const told: string[] = [];
  const progress: string[] = [];
  const exitCode = await runCommandLine(args, {
    environment: {},
    folder: process.cwd(),
    isInteractive: false,
    choose: () => Promise.reject(new Error('no question was expected')),
    stop: new AbortController().signal,
    fetch,
    isInstalled: () => true,
    ...given,
    print(text) {
      printed.push(...text.split('\n'));
      onPrint(text);
    },
    tell: (text) => void told.push(...text.split('\n')),
    progress: async () => ({
      show: (finished, total, what) => void progress.push(`${finished}/${total} ${what}`),
      end: () => void progress.push('end'),
    }),
  });
  return { exitCode, printed, told, progress };
}
