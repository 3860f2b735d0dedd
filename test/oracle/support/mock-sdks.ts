import type { SdkSource } from '../../../adapters/oracle/ai/sdk';
import type { AiModel } from '../../../adapters/oracle/ai';
import type { Message } from './obedient-model';

interface CallOptions {
  prompt: { role: string; content: string | { text: string }[] }[];
  responseFormat?: { type: string; name?: string; schema?: unknown };
  abortSignal?: AbortSignal;
  tools?: unknown;
}

export interface MockCall {
  messages: Message[];
  options: CallOptions;
}

interface MockModels {
  MockLanguageModelV3?: MockModel;
  MockLanguageModelV4?: MockModel;
}
type MockModel = new (options: {
  modelId: string;
  doGenerate: (options: CallOptions) => Promise<unknown>;
}) => AiModel;

export interface MockSdk {
  version: number;
  source: SdkSource;
  model(write: (call: MockCall) => string | Promise<string>, sources?: readonly object[]): AiModel;
}

const ENTRIES = [
  { version: 6, sdk: 'ai', mocks: 'ai/test' },
  { version: 7, sdk: 'ai7', mocks: 'ai7/test' },
] as const;

export async function mockSdks(): Promise<MockSdk[]> {
  return Promise.all(
    ENTRIES.map(async ({ version, sdk, mocks }) => {
      const source = (async () => import(sdk)) as SdkSource;
      const { MockLanguageModelV3, MockLanguageModelV4 } = (await import(mocks)) as MockModels;
      const Mock = (version === 7 ? MockLanguageModelV4 : MockLanguageModelV3) as MockModel;
      return { version, source, model: (write, sources = []) => mockModel(Mock, write, sources) };
    }),
  );
}

function mockModel(
  Mock: MockModel,
  write: (call: MockCall) => string | Promise<string>,
  sources: readonly object[],
): AiModel {
  return new Mock({
    modelId: 'mock-1',
    async doGenerate(options) {
      const messages = options.prompt.map(({ role, content }) => ({
        role,
        content: typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
      }));
      const text = await write({ messages, options });
      return {
        content: [{ type: 'text', text }, ...sources],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: { inputTokens: { total: 100 }, outputTokens: { total: 20 } },
        warnings: [],
      };
    },
  });
}
