/** Requests and answers of the two APIs that OpenAI-compatible servers speak: chat completions and Responses. */
import { VoterError } from '../../shared/judge/errors';
import { VERDICT_SCHEMA, type JudgePrompt } from '../../shared/judge/prompt';

export type OpenAiApi = 'chat' | 'responses';
/** The ways to ask a server for JSON, from the strictest way to none. */
export const ANSWER_FORMATS = ['json_schema', 'json_object', 'none'] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

export function requestBody(
  api: OpenAiApi,
  model: string,
  prompt: JudgePrompt,
  format: AnswerFormat,
): object {
  const messages = [
    { role: 'system', content: prompt.system },
    { role: 'user', content: prompt.user },
  ];
  if (api === 'chat') return { model, messages, ...chatFormat(format) };
  return { model, input: messages, ...responsesFormat(format) };
}

function chatFormat(format: AnswerFormat): object {
  if (format === 'none') return {};
  if (format === 'json_object') return { response_format: { type: 'json_object' } };
  const json_schema = { name: 'verdict', strict: true, schema: VERDICT_SCHEMA };
  return { response_format: { type: 'json_schema', json_schema } };
}

function responsesFormat(format: AnswerFormat): object {
  if (format === 'none') return {};
  if (format === 'json_object') return { text: { format: { type: 'json_object' } } };
  return { text: { format: { type: 'json_schema', name: 'verdict', strict: true, schema: VERDICT_SCHEMA } } };
}

export function pathOf(api: OpenAiApi): string {
  return api === 'chat' ? '/chat/completions' : '/responses';
}

/**
 * The text of the answer. Throws when the answer has no text, as in a refusal or an answer that was cut off.
 */
export function answerText(api: OpenAiApi, answer: unknown): string {
  const text = api === 'chat' ? chatText(answer) : responsesText(answer);
  if (text === null || text.trim() === '') throw new VoterError('the model gave no answer');
  return text;
}

/** The number of tokens of prompt and answer together. */
export function tokensOf(answer: unknown): number | undefined {
  const total = field(field(answer, 'usage'), 'total_tokens');
  return typeof total === 'number' && total >= 0 ? total : undefined;
}

/** The cost of the call in USD, if the server reports it. */
export function costOf(answer: unknown): number | undefined {
  const cost = field(field(answer, 'usage'), 'cost');
  return typeof cost === 'number' && cost >= 0 ? cost : undefined;
}

function chatText(answer: unknown): string | null {
  const choices = field(answer, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (field(choice, 'finish_reason') === 'length')
    throw new VoterError('the answer of the model was cut off');
  const content = field(field(choice, 'message'), 'content');
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? joined(content, 'text') : null;
}

function responsesText(answer: unknown): string | null {
  if (field(answer, 'status') === 'incomplete') throw new VoterError('the answer of the model was cut off');
  const output = field(answer, 'output');
  if (!Array.isArray(output)) return null;
  const contents = output.flatMap((item: unknown) => {
    const content = field(item, 'content');
    return field(item, 'type') === 'message' && Array.isArray(content) ? (content as unknown[]) : [];
  });
  return joined(contents, 'output_text');
}

function joined(parts: readonly unknown[], type: string): string {
  return parts
    .filter((part) => field(part, 'type') === type)
    .map((part) => field(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
