import { describe, expect, it } from '@jest/globals';
import { aiOracleOn } from '../../adapters/oracle/ai';
import { consensusOracle } from '../../adapters/oracle/consensus';
import { httpOracle } from '../../adapters/oracle/http';
import { manualOracle } from '../../adapters/oracle/manual';
import { openaiOracle } from '../../adapters/oracle/openai';
import type { Oracle } from '../../src/ports/oracle';
import { oracleConformance, type OracleEvidence, type OracleUnderTest } from '../../testing';
import { mockSdks } from './support/mock-sdks';
import { modelServer, spoken, type ModelServer } from './support/model-server';
import { ANY_QUESTION, obedientModel, verdictFor } from './support/obedient-model';

const KEY = 'sk-open-sesame-0123456789';
const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
/** Longer than the time in which the suite expects an oracle to end after its signal. */
const PATIENT_MS = 3_000;
const HASTY_MS = 100;

interface Stallable {
  oracle: Oracle;
  setStalled(stalled: boolean): void;
}

/**
 * If the sources are silent and the caller gives no signal, only the time limit ends the question. So the limit is
 * short in this case.
 */
function stallable(make: (timeoutMs: number) => Oracle): Stallable {
  const [patient, hasty] = [make(PATIENT_MS), make(HASTY_MS)];
  let isStalled = false;
  return {
    oracle: {
      ...patient,
      ask: (asked, options) =>
        (isStalled && options?.signal === undefined ? hasty : patient).ask(asked, options),
    },
    setStalled: (stalled) => void (isStalled = stalled),
  };
}

/** The sources of these oracles name no subject, and say `TOO_EARLY` in place of a provisional outcome. */
const NO_MARKS = { provisional: false, confuse: false } as const;

const question = () => ANY_QUESTION;
const nothing = async (): Promise<void> => undefined;

type Reply = (
  request: Parameters<typeof spoken>[0],
  evidence: OracleEvidence,
  nonsense: (verdict: string) => string,
) => ReturnType<typeof spoken>;

const asItIs = (verdict: string): string => verdict;
const unsure = (verdict: string): string => JSON.stringify({ ...JSON.parse(verdict), confidence: 0.3 });

async function onServer(
  make: (server: ModelServer, timeoutMs: number) => Oracle,
  reply: Reply,
): Promise<OracleUnderTest> {
  const server = await modelServer();
  let evidence: OracleEvidence = 'NOTHING';
  let doubt = asItIs;
  const speak = (nonsense = asItIs): void =>
    server.respond((request) => reply(request, evidence, (verdict) => nonsense(doubt(verdict))));
  speak();
  const { oracle, setStalled } = stallable((timeoutMs) => make(server, timeoutMs));
  return {
    oracle,
    question,
    know: async (says) => {
      evidence = says;
    },
    stall: async (form) => {
      server.respond(() => (form === 'halfBody' ? { body: { outcome: 'YES' }, isHalf: true } : null));
      setStalled(true);
      return async () => {
        speak();
        setStalled(false);
      };
    },
    garble: async (nonsense) => {
      speak(nonsense);
      return async () => speak();
    },
    failWith: async (status) => {
      // An oracle that repeats a request waits as long as `retry-after` says.
      server.respond(() => ({ status, body: { error: 'no answer' }, headers: { 'retry-after': '0' } }));
      return async () => speak();
    },
    redirect: async (location) => {
      server.respond(() => ({ status: 307, body: '', headers: { location } }));
      return async () => speak();
    },
    unsure: async (says) => {
      evidence = says;
      doubt = unsure;
      return async () => {
        doubt = asItIs;
      };
    },
    ...NO_MARKS,
    knownEarly: true,
    cutOff: () => server.goAway(),
    secrets: [KEY, SECRET],
    destroy: () => server.close(),
  };
}

const obedient: Reply = (request, evidence, nonsense) =>
  spoken(request, nonsense(JSON.stringify(obedientModel(request.messages, evidence))));

describe.each(['chat', 'responses'] as const)('openaiOracle by the API %s', (api) => {
  oracleConformance(
    { describe, it, expect },
    {
      create: () =>
        onServer(
          ({ baseUrl }, timeoutMs) =>
            openaiOracle({ baseUrl, apiKey: KEY, model: 'judge-1', api, timeoutMs }),
          obedient,
        ),
    },
  );
});

describe('httpOracle', () => {
  oracleConformance(
    { describe, it, expect },
    {
      create: async () => ({
        ...(await onServer(
          ({ baseUrl }, timeoutMs) =>
            httpOracle({ url: baseUrl, secret: SECRET, timeoutMs, allowPrivate: true }),
          ({ body: { marketId } }, evidence, nonsense) => ({
            body: nonsense(
              JSON.stringify(verdictFor(marketId === 1 ? evidence : 'NOTHING', 'By the ledger of the host.')),
            ),
          }),
        )),
        question: () => ({ ...ANY_QUESTION, marketId: 1, tickerId: 'PM-0001', slug: 'did-it-rain' }),
      }),
    },
  );
});

describe.each([6, 7])('aiOracle on version %d of the SDK', (version) => {
  oracleConformance(
    { describe, it, expect },
    {
      async create() {
        const sdk = (await mockSdks()).find((each) => each.version === version);
        if (sdk === undefined) throw new Error(`no version ${version}`);
        let evidence: OracleEvidence = 'NOTHING';
        let doubt = asItIs;
        const honest: Parameters<typeof sdk.model>[0] = ({ messages }) =>
          doubt(JSON.stringify(obedientModel(messages, evidence)));
        let write = honest;
        const restore = async (): Promise<void> => {
          write = honest;
        };
        const model = sdk.model((call) => write(call));
        const { oracle, setStalled } = stallable((timeoutMs) => aiOracleOn(sdk.source, { model, timeoutMs }));
        return {
          oracle,
          question,
          know: async (says) => {
            evidence = says;
          },
          stall: async () => {
            write = () => new Promise(() => undefined);
            setStalled(true);
            return async () => {
              setStalled(false);
              return restore();
            };
          },
          garble: async (nonsense) => {
            write = async (call) => nonsense(await honest(call));
            return restore;
          },
          failWith: async (status) => {
            write = () => {
              throw Object.assign(new Error(`HTTP ${status}`), {
                name: 'AI_APICallError',
                statusCode: status,
              });
            };
            return restore;
          },
          unsure: async (says) => {
            evidence = says;
            doubt = unsure;
            return async () => {
              doubt = asItIs;
            };
          },
          ...NO_MARKS,
          redirect: false, // the SDK makes the requests
          knownEarly: true,
          cutOff: async () => {
            write = () => {
              throw Object.assign(new TypeError(`fetch failed with ${KEY}`), { name: 'AI_APICallError' });
            };
            return restore;
          },
          secrets: [KEY],
          destroy: nothing,
        };
      },
    },
  );
});

describe('consensusOracle', () => {
  oracleConformance(
    { describe, it, expect },
    {
      async create() {
        const made = await onServer(({ baseUrl }, timeoutMs) => {
          const voter = (model: string) => openaiOracle({ baseUrl, apiKey: KEY, model, timeoutMs });
          return consensusOracle({ oracles: ['a', 'b', 'c'].map(voter), timeoutMs });
        }, obedient);
        return made;
      },
    },
  );
});

describe('manualOracle', () => {
  oracleConformance(
    { describe, it, expect },
    {
      create: async () => ({
        oracle: manualOracle(),
        question,
        // The manual oracle never decides and has no sources.
        know: false,
        ...NO_MARKS,
        unsure: false,
        knownEarly: false,
        stall: false,
        garble: false,
        failWith: false,
        redirect: false,
        cutOff: false,
        secrets: false,
        destroy: nothing,
      }),
    },
  );
});
