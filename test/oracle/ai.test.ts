import { aiOracle, aiOracleOn } from '../../adapters/oracle/ai';
import { versionProblem } from '../../adapters/oracle/ai/sdk';
import { VERDICT_SCHEMA } from '../../adapters/shared/judge/prompt';
import { mockSdks, type MockCall, type MockSdk } from './support/mock-sdks';
import { ANY_QUESTION, verdictFor } from './support/obedient-model';

const YES = JSON.stringify(verdictFor('YES', 'It happened.', ['https://a.example/']));
let sdks: MockSdk[];
beforeAll(async () => {
  sdks = await mockSdks();
});

describe.each([6, 7])('version %d', (version) => {
  const sdk = (): MockSdk => sdks.find((each) => each.version === version) as MockSdk;
  const oracleOf = (write: (call: MockCall) => string | Promise<string>, sources?: object[]) =>
    aiOracleOn(sdk().source, { model: sdk().model(write, sources) });
  const failureOf = (write: (call: MockCall) => string): Promise<string> =>
    oracleOf(write)
      .ask(ANY_QUESTION)
      .then(
        () => 'it answered',
        (error: unknown) => (error as Error).message,
      );

  it('sends the fixed prompt and the schema, and no tool', async () => {
    let seen: MockCall | undefined;
    await oracleOf((call) => {
      seen = call;
      return YES;
    }).ask(ANY_QUESTION);
    expect(seen?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(seen?.messages[1]?.content).toMatch(
      /^<market-data-[0-9a-f]{32}>\n[^]*\n<\/market-data-[0-9a-f]{32}>$/,
    );
    expect(seen?.options.responseFormat).toMatchObject({ type: 'json', schema: VERDICT_SCHEMA });
    expect(seen?.options.tools).toBeUndefined();
  });

  it('answers with one vote, its tokens and all sources', async () => {
    const source = { type: 'source', sourceType: 'url', id: '1', url: 'https://b.example/', title: 'B' };
    const answer = await oracleOf(() => YES, [source]).ask(ANY_QUESTION);
    expect(answer).toMatchObject({ outcome: 'YES', probability: 0.98 });
    expect(answer.citations?.map(({ url }) => url)).toEqual(['https://a.example/', 'https://b.example/']);
    expect(answer.votes?.[0]).toMatchObject({ oracle: 'mock-1', model: 'mock-1', tokens: 120 });
  });

  it('reads an answer behind a thought and within a fence, and none within prose', async () => {
    const fenced = `<think>hm</think>\n\`\`\`json\n${YES}\n\`\`\``;
    expect(await oracleOf(() => fenced).ask(ANY_QUESTION)).toMatchObject({ outcome: 'YES' });
    expect(await failureOf(() => `I say ${YES}`)).toBe('the answer is not one JSON object');
    expect(await failureOf(() => YES.replace('0.98', '0.2'))).toMatch(/contradicts/);
  });

  it('tells nothing of what the SDK throws', async () => {
    const message = await failureOf(() => {
      throw new Error('POST https://api.example/?key=sk-open-sesame failed');
    });
    expect(message).toBe('the model gave no verdict');
  });

  it('tells an outage from a refusal', async () => {
    const apiError = (statusCode: number) => () => {
      throw Object.assign(new Error('sk-open-sesame'), {
        name: 'AI_APICallError',
        statusCode,
        isRetryable: false,
      });
    };
    expect(await failureOf(apiError(401))).toBe('the model server answered HTTP 401');
  });
});

describe('the installed package', () => {
  it('is found by the factory', () => {
    expect(aiOracle({ model: 'maker/model' })).toMatchObject({ name: 'maker/model', role: 'judge' });
  });

  it.each([
    ['6.0.1', '20.19.0', null],
    ['7.1.0', '22.0.0', null],
    ['7.1.0', '20.19.0', /wants Node 22/],
    ['5.0.0', '22.0.0', /needs version 6 or 7/],
    [undefined, '22.0.0', /needs version 6 or 7/],
  ])('of version %s on Node %s', (version, node, problem) => {
    if (problem === null) expect(versionProblem(version, node)).toBeNull();
    else expect(versionProblem(version, node)).toMatch(problem);
  });
});
