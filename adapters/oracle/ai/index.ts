/**
 * A judge made from a model of the Vercel AI SDK, version 6 or 7. The package `ai` is loaded when it is
 * first needed.
 */
import {
  callback,
  checkOptions,
  isRecord,
  milliseconds,
  mustBe,
  optional,
  printableText,
  type Checks,
} from '../../../src/domain/options';
import type { Oracle } from '../../../src/ports/oracle';
import { annotatedCitations } from '../../shared/judge/citations';
import { judgeOracle, type ModelReply, type SearchFunction } from '../../shared/judge/judge-oracle';
import type { SearchResult } from '../../shared/judge/prompt';
import { VERDICT_SCHEMA, type JudgePrompt } from '../../shared/judge/prompt';
import { checkVerdict, readVerdict, type Verdict } from '../../shared/judge/verdict';
import { textBesides, voterErrorOf } from './errors';
import { installedSdk, type AiSdk, type SdkSource } from './sdk';

export type { SearchFunction, SearchResult };

/** A `LanguageModel` of the SDK. */
export interface AiModel {
  readonly modelId: string;
}

export interface AiOracleOptions {
  /**
   * A model that a provider of the SDK has made, such as `openai('gpt-5')`, or the name of a model of the SDK's
   * gateway.
   */
  model: AiModel | string;
  /** The name in votes, logs and metrics. Default: the model's name. */
  name?: string | undefined;
  /** The time limit of one question in milliseconds. It includes the search and one retry. Default 60,000. */
  timeoutMs?: number | undefined;
  /** Finds pages for a question. If it is given, a YES or NO that cites none of its pages counts as an abstention. */
  search?: SearchFunction | undefined;
}

const CHECKS: Checks<AiOracleOptions> = {
  model: mustBe('a model of the AI SDK, or the name of one', isModel, { secret: true }),
  name: optional(printableText(100)),
  timeoutMs: optional(milliseconds),
  search: optional(callback),
};

function isModel(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return isRecord(value) && typeof value.modelId === 'string' && typeof value.doGenerate === 'function';
}

/**
 * A judge: a model of the Vercel AI SDK (package `ai`, version 6 or 7). docs/oracle-adapters.md "oracle/ai".
 * @throws TypeError naming the option that does not fit. RangeError for a number out of its range. Error when `ai` is
 * not installed, has another version, or needs a newer Node.
 */
export function aiOracle(options: AiOracleOptions): Oracle {
  checkOptions('aiOracle', options, CHECKS);
  return aiOracleOn(installedSdk('aiOracle'), options);
}

/** Like `aiOracle`, for tests that pass in the SDK. */
export function aiOracleOn(source: SdkSource, options: AiOracleOptions): Oracle {
  callback(source, { factory: 'aiOracleOn', path: 'the first argument' });
  checkOptions('aiOracleOn', options, CHECKS);
  const { model, timeoutMs, search } = options;
  const modelName = typeof model === 'string' ? model : model.modelId;
  let loaded: Promise<AiSdk> | null = null;

  async function call(prompt: JudgePrompt, { signal }: { signal: AbortSignal }): Promise<ModelReply> {
    const sdk = await (loaded ??= source());
    return verdictOf(sdk, { model, prompt, signal }).catch((error: unknown) => {
      throw voterErrorOf(error);
    });
  }

  return judgeOracle({ name: options.name ?? modelName, model: modelName, call, timeoutMs, search });
}

interface Generation {
  model: AiModel | string;
  prompt: JudgePrompt;
  signal: AbortSignal;
}

async function verdictOf(sdk: AiSdk, { model, prompt, signal }: Generation): Promise<ModelReply> {
  try {
    const result = await sdk.generateText({
      model,
      system: prompt.system,
      prompt: prompt.user,
      output: sdk.Output.object({ name: 'verdict', schema: sdk.jsonSchema(VERDICT_SCHEMA) }),
      maxRetries: 1,
      abortSignal: signal,
    });
    const { sources, totalUsage } = result;
    const tokens = totalUsage?.totalTokens;
    return {
      verdict: checkVerdict(result.output),
      annotated: annotatedCitations({ sources }),
      ...(tokens !== undefined && { tokens }),
    };
  } catch (error) {
    return { verdict: rescued(error), annotated: [] };
  }
}

/**
 * The verdict in an answer that the SDK refuses, because the SDK accepts only plain JSON. An answer with a
 * `<think>` block or a code fence is read by the rule that all judges share.
 */
function rescued(error: unknown): Verdict {
  const text = textBesides(error);
  if (text === null) throw error;
  return readVerdict(text);
}
