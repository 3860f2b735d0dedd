import { runCommandLine } from '../../cli/program';
import type { CommandContext } from '../../cli/command-context';

export interface CommandRun {
  exitCode: number;
  /** Lines on standard output. */
  printed: string[];
  /** Lines on standard error. */
  told: string[];
  progress: string[];
}

export interface Given extends Partial<Omit<CommandContext, 'print' | 'tell' | 'progress'>> {
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
