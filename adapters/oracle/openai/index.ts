/**
 * A judge behind a server that speaks the chat completions API or the Responses API. It uses no SDK, because the
 * errors of an SDK may contain the key.
 */
import {
  callback,
  checkOptions,
  milliseconds,
  mustBe,
  optional,
  printableText,
  secretHttpAddress,
  type Checks,
} from '../../../src/domain/options';
import type { Oracle } from '../../../src/ports/oracle';
import { annotatedCitations } from '../../shared/judge/citations';
import { PaidFailureError, VoterError } from '../../shared/judge/errors';
import { judgeOracle, type ModelReply, type SearchFunction } from '../../shared/judge/judge-oracle';
import type { SearchResult } from '../../shared/judge/prompt';
import type { JudgePrompt } from '../../shared/judge/prompt';
import { readVerdict, type Verdict } from '../../shared/judge/verdict';
import { postWithRetry, RequestRefusedError } from './transport';
import { ANSWER_FORMATS, answerText, costOf, pathOf, requestBody, tokensOf, type OpenAiApi } from './wire';

export type { OpenAiApi, SearchFunction, SearchResult };

export interface OpenAiOracleOptions {
  /** The address before `/chat/completions` or `/responses`, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** The key, which is sent as `Authorization: Bearer`. Many local servers need no key. */
  apiKey?: string | undefined;
  model: string;
  /** The API that the server speaks. Default `chat`. */
  api?: OpenAiApi | undefined;
  /** The name in votes, logs and metrics. Default: the name of the model. */
  name?: string | undefined;
  /** The time limit of one question in milliseconds. It includes the search and one retry. Default 60,000. */
  timeoutMs?: number | undefined;
  /** Finds pages for a question. If it is given, a YES or NO that cites none of its pages counts as an abstention. */
  search?: SearchFunction | undefined;
}

const CHECKS: Checks<OpenAiOracleOptions> = {
  baseUrl: secretHttpAddress,
  apiKey: optional(
    mustBe(
      'a text of printable characters',
      (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
      {
        secret: true,
      },
    ),
  ),
  model: printableText(200),
  api: optional(mustBe('"chat" or "responses"', (value) => value === 'chat' || value === 'responses')),
  name: optional(printableText(100)),
  timeoutMs: optional(milliseconds),
  search: optional(callback),
};

/**
 * A judge: a model behind a server that speaks OpenAI's protocol, hosted or local. docs/oracle-adapters.md
 * "oracle/openai".
 * @throws TypeError naming the option that does not fit. RangeError for a number out of its range.
 */
export function openaiOracle(options: OpenAiOracleOptions): Oracle {
  checkOptions('openaiOracle', options, CHECKS);
  const { model, api = 'chat', name = model, apiKey, timeoutMs, search } = options;
  const url = options.baseUrl.replace(/\/+$/, '') + pathOf(api);
  const headers: Record<string, string> = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
  /** The index of the strictest answer format that the server has not refused. */
  let strictest = 0;

  const post = async (prompt: JudgePrompt, format: number, signal: AbortSignal): Promise<string> => {
    const body = requestBody(api, model, prompt, ANSWER_FORMATS[format] ?? 'none');
    return postWithRetry({ url, headers, body, signal });
  };

  /**
   * Asks the model. A server that does not know an answer format refuses the request with 400 or 422, and is
   * then asked in the next format.
   */
  async function ask(prompt: JudgePrompt, signal: AbortSignal): Promise<string> {
    for (let format = strictest; ; format += 1) {
      try {
        const answer = await post(prompt, format, signal);
        strictest = format;
        return answer;
      } catch (error) {
        const isRefused = error instanceof RequestRefusedError && [400, 422].includes(error.status);
        if (!isRefused || format + 1 >= ANSWER_FORMATS.length) throw error;
      }
    }
  }

  async function call(prompt: JudgePrompt, { signal }: { signal: AbortSignal }): Promise<ModelReply> {
    const answer = parseJson(withoutKey(await ask(prompt, signal), apiKey));
    const [tokens, costUsd] = [tokensOf(answer), costOf(answer)];
    return {
      verdict: paidVerdict(() => readVerdict(answerText(api, answer)), { costUsd, tokens }),
      annotated: annotatedCitations(answer),
      ...(tokens !== undefined && { tokens }),
      ...(costUsd !== undefined && { costUsd }),
    };
  }

  return judgeOracle({ name, model, call, timeoutMs, search });
}

interface Spending {
  costUsd: number | undefined;
  tokens: number | undefined;
}

/**
 * The verdict of an answer. An answer without a usable verdict was paid for too, so the error contains its cost,
 * if the server has stated the cost.
 */
function paidVerdict(read: () => Verdict, { costUsd, tokens }: Spending): Verdict {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof VoterError) || costUsd === undefined) throw error;
    throw new PaidFailureError(error, { costUsd, ...(tokens !== undefined && { tokens }) });
  }
}

/** Shorter keys are not replaced in texts, because an answer may contain such a short word by chance. */
const SHORTEST_SECRET = 8;

/**
 * The text without the key. The texts of a model are stored and shown, and a server may copy its request, with the
 * key, into such a text.
 */
function withoutKey(text: string, apiKey: string | undefined): string {
  return apiKey === undefined || apiKey.length < SHORTEST_SECRET
    ? text
    : text.replaceAll(apiKey, '(removed)');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new VoterError('the model server answered with something other than JSON');
  }
}
