/** What a person chooses for a new app. The first choice of each is the default. */

export const CHOICES = [
  {
    name: 'storage',
    question: 'Where the market keeps its data',
    choices: [
      { value: 'sqlite', hint: 'one file, one server' },
      { value: 'postgres', hint: 'any number of servers' },
      { value: 'memory', hint: 'gone when the process ends' },
    ],
  },
  {
    name: 'oracle',
    question: 'Who resolves markets',
    choices: [
      { value: 'manual', hint: 'operators' },
      { value: 'openai', hint: 'models behind an OpenAI-compatible server' },
      { value: 'ai', hint: 'models of the AI SDK' },
      { value: 'http', hint: 'your own service' },
    ],
  },
  {
    name: 'facilitator',
    question: 'How payments are settled',
    choices: [
      { value: 'development', hint: 'play money' },
      { value: 'http', hint: 'by a service that speaks x402' },
      { value: 'evm', hint: 'by this server, through a node of the chain' },
    ],
  },
] as const;

type ChoiceOf<Name> = Extract<(typeof CHOICES)[number], { name: Name }>['choices'][number]['value'];

export interface AppChoices {
  storage: ChoiceOf<'storage'>;
  oracle: ChoiceOf<'oracle'>;
  facilitator: ChoiceOf<'facilitator'>;
  /** Whether the app has the browser pages. */
  pages: boolean;
  /** Whether the app has the live feed. */
  live: boolean;
}

/** Whether the person has to fill in `.env` before the app can start. */
export function needsSettings({ storage, oracle, facilitator }: AppChoices): boolean {
  return storage === 'postgres' || oracle !== 'manual' || facilitator !== 'development';
}
