/** Questions on the terminal. */
import { UsageError } from './needs-a-person';
import type { Choice } from './command-context';

export async function askOnTerminal(question: string, choices: readonly Choice[]): Promise<string> {
  const { select, isCancel } = await import('@clack/prompts');
  const options = choices.map(({ value, hint }) => ({ value, label: value, hint }));
  const answer = await select({ message: question, options });
  if (isCancel(answer)) throw new UsageError('stopped: nothing was written');
  return answer;
}
