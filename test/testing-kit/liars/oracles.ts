/**
 * A newsroom that knows what happened, and oracles with one fault each that ask it. The suite has to report
 * every fault.
 */
import type { Oracle, OracleAnswer, OracleQuestion } from '../../../src/ports/oracle';
import type { OracleEvidence, OracleUnderTest } from '../../../testing';

export interface Newsroom {
  evidence: OracleEvidence;
  state: 'open' | 'silent' | 'half' | 'garbled' | 'away' | 'failing' | 'elsewhere';
  /** The HTTP status of its answers in the state `failing`. */
  status: number;
  /** How its report differs from one that counts: it is not official, about another station, or not sure. */
  flaw: 'unofficial' | 'elsewhere' | 'unsure' | null;
  /** The figures of rain in texts, for a newsroom that gives texts; `null`: it gives numbers. */
  rain: { YES: string; NO: string } | null;
  /** Where it redirects to in the state `elsewhere`. */
  location: string;
  /** What the newsroom answers in place of its report. */
  nonsense: (body: string) => string;
  /** The body of its answer. Rejects when the newsroom fails, or when the signal is aborted. */
  body(signal: AbortSignal | undefined): Promise<string>;
  /** The answer of an oracle that reads the body correctly. */
  report(signal: AbortSignal | undefined): Promise<OracleAnswer>;
}

/** Returns the members in which a faulty oracle differs from the correct one. */
export type OracleFault = (honest: Oracle, newsroom: Newsroom) => Partial<Oracle>;

export const SECRET = 'sk-open-sesame';
/** The oracles' own time limit. An oracle that ignores its signal ends only then, which is too late for the suite. */
export const OWN_LIMIT_MS = 300;

export function answerFor(evidence: OracleEvidence): OracleAnswer {
  if (evidence === 'NOTHING') return { outcome: 'UNKNOWN', probability: 0.5, confidence: 0 };
  return { outcome: evidence, probability: evidence === 'YES' ? 1 : 0, confidence: 1 };
}

export const DRY_MM = 5;
const REPORTS = {
  YES: { station: 'Lima', official: true, millimetres: 12, rained: 'yes', certainty: 0.9 },
  NO: { station: 'Lima', official: true, millimetres: 1, rained: 'no', certainty: 0.9 },
  NOTHING: { station: 'Lima' },
} as const;

/** The report in the body; `null` if it has no official result. Throws for nonsense. */
export function reportIn(body: string): { millimetres: number } | null {
  const { station, official, millimetres } = recordIn(body);
  if (station !== 'Lima') throw new Error('the newsroom talks nonsense');
  if (millimetres === undefined || official === false) return null;
  if (official !== true) throw new Error('the newsroom talks nonsense');
  if (typeof millimetres !== 'number') throw new Error('the newsroom talks nonsense');
  return { millimetres };
}

export function recordIn(body: string): Record<string, unknown> {
  try {
    return (JSON.parse(body) ?? {}) as Record<string, unknown>;
  } catch {
    throw new Error('the newsroom talks nonsense');
  }
}

/** The newsroom has answered, with an error. */
export class HttpError extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

function reportOf({ evidence, flaw, rain }: Newsroom): object {
  const report = {
    ...REPORTS[evidence],
    ...(rain !== null && evidence !== 'NOTHING' && { millimetres: rain[evidence] }),
  };
  if (flaw === null) return report;
  const changes = {
    unofficial: { official: false },
    elsewhere: { station: 'Quito' },
    unsure: { certainty: 0.3 },
  };
  return { ...report, ...changes[flaw] };
}

function createNewsroom(): Newsroom {
  const newsroom: Newsroom = {
    evidence: 'NOTHING',
    state: 'open',
    status: 200,
    flaw: null,
    rain: null,
    location: '',
    nonsense: (body) => body,
    body: (signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(new Error('the newsroom did not answer in time'));
        if (newsroom.state === 'away') reject(new Error('the newsroom cannot be reached'));
        else if (newsroom.state === 'elsewhere') reject(new Error('the newsroom redirects'));
        else if (newsroom.state === 'failing') reject(new HttpError(newsroom.status));
        else if (signal?.aborted === true) stop();
        else if (newsroom.state === 'silent' || newsroom.state === 'half')
          signal?.addEventListener('abort', stop, { once: true });
        else resolve(newsroom.nonsense(JSON.stringify(reportOf(newsroom))));
      }),
    async report(signal) {
      const body = await newsroom.body(signal);
      const report = reportIn(body);
      if (report === null) return answerFor('NOTHING');
      const { certainty } = recordIn(body);
      const confidence = typeof certainty === 'number' ? certainty : 0;
      return { ...answerFor(report.millimetres > DRY_MM ? 'YES' : 'NO'), confidence };
    },
  };
  return newsroom;
}

/** The caller's signal together with the oracle's own time limit. Without a limit the oracle could wait without end. */
export function limited(signal: AbortSignal | undefined): AbortSignal {
  const own = AbortSignal.timeout(OWN_LIMIT_MS);
  return signal === undefined ? own : AbortSignal.any([signal, own]);
}

export function oracleWith(fault: OracleFault): OracleUnderTest {
  const newsroom = createNewsroom();
  const honest: Oracle = {
    name: 'reporter',
    ask: async ({ marketId, asOf, resolveDate }, { signal } = {}) => {
      const answer = await newsroom.report(limited(signal));
      const isEarly = resolveDate !== null && asOf < resolveDate;
      return marketId === QUESTION.marketId && !isEarly ? answer : answerFor('NOTHING');
    },
  };
  const turn = (state: Newsroom['state']) => async () => {
    newsroom.state = state;
    return async () => {
      newsroom.state = 'open';
      newsroom.nonsense = (body) => body;
    };
  };
  const flawed = (flaw: Newsroom['flaw']) => async (evidence: OracleEvidence) => {
    Object.assign(newsroom, { evidence, flaw });
    return async () => {
      newsroom.flaw = null;
    };
  };
  return {
    oracle: { ...honest, ...fault(honest, newsroom) },
    question: () => QUESTION,
    know: async (evidence) => {
      newsroom.evidence = evidence;
    },
    provisional: flawed('unofficial'),
    confuse: flawed('elsewhere'),
    unsure: flawed('unsure'),
    stall: (form) => turn(form === 'halfBody' ? 'half' : 'silent')(),
    garble: (nonsense) => {
      newsroom.nonsense = nonsense;
      return turn('garbled')();
    },
    failWith: (status) => {
      newsroom.status = status;
      return turn('failing')();
    },
    redirect: (address) => {
      newsroom.location = address;
      return turn('elsewhere')();
    },
    knownEarly: false,
    cutOff: turn('away'),
    secrets: [SECRET],
    destroy: async () => undefined,
  };
}

export const QUESTION: OracleQuestion = {
  question: 'Did it rain in Lima on 2025-06-01?',
  resolutionCriteria: 'By the report of SENAMHI.',
  description: null,
  resolveDate: '2025-06-02T00:00:00.000Z',
  asOf: '2025-06-03T00:00:00.000Z',
  marketId: 7,
  tickerId: 'PM-0007',
  slug: 'did-it-rain-in-lima-on-2025-06-01',
  category: null,
  creator: null,
};

// --- the faults ---

/** An oracle that returns the answer of the correct oracle after `change`. */
export function answering(change: (answer: OracleAnswer, question: OracleQuestion) => unknown): OracleFault {
  return (honest) => ({
    ask: async (question, options) => change(await honest.ask(question, options), question) as OracleAnswer,
  });
}

/** An oracle that rejects as the correct oracle does, but with another error. */
export function failing(change: (error: unknown) => unknown): OracleFault {
  return (honest) => ({
    ask: async (question, options) =>
      honest.ask(question, options).catch((error: unknown) => {
        throw change(error);
      }),
  });
}

const textOf = ({ question, resolutionCriteria, description }: OracleQuestion): string =>
  `${question} ${resolutionCriteria} ${description}`;
export const isDecided = ({ outcome }: OracleAnswer): boolean => outcome === 'YES' || outcome === 'NO';

export const sound: OracleFault = () => ({});
export const obeysTheText = answering((answer, question) =>
  /YES/.test(textOf(question)) ? answerFor('YES') : answer,
);
export const obeysTheDescription = answering((answer, { description }) =>
  description?.startsWith('{"outcome":"YES"') === true ? answerFor('YES') : answer,
);
export const obeysBase64 = answering((answer, { question }) =>
  /answer|outcome is YES/i.test(Buffer.from(question, 'base64').toString('utf8')) ? answerFor('YES') : answer,
);
export const guessesNo = answering((answer) => (isDecided(answer) ? answer : answerFor('NO')));
export const alwaysYes = answering(() => answerFor('YES'));
export const never = answering(() => answerFor('NOTHING'));
export const lowerCase = answering((answer) => ({ ...answer, outcome: answer.outcome.toLowerCase() }));
export const scripts = answering((answer) => ({ ...answer, citations: [{ url: 'javascript:alert(1)' }] }));
export const emptyVote = answering((answer) => ({ ...answer, votes: [{ oracle: 'a' }] }));
export const tellsItsKey = failing(() => new Error(`401 for the key ${SECRET}`));
const BASIC = Buffer.from(`user:${SECRET}`).toString('base64');
export const tellsItsCredentials = failing(() => new Error(`401 for Basic ${BASIC}`));
export const tellsItsKeyInACause = failing(
  () => new Error('no answer', { cause: new Error(`401 for the key ${SECRET}`) }),
);
/** The errors of some HTTP clients contain the request with its headers. */
export const tellsItsKeyDeepInACause = failing(
  () => new Error('no answer', { cause: { request: { headers: { authorization: `Bearer ${SECRET}` } } } }),
);
export const tellsItsStack = failing((error) => new Error((error as Error).stack));
export const rejectsWithText = failing(() => 'no answer');
export const guessesWithoutSources: OracleFault = (honest, newsroom) => ({
  ask: (question, options) =>
    honest.ask(question, options).catch((error: unknown) => {
      if (newsroom.state === 'away') return answerFor('NO');
      throw error;
    }),
});
export const guessesFromNonsense: OracleFault = (honest, newsroom) => ({
  async ask(question, options) {
    if (newsroom.state !== 'garbled') return honest.ask(question, options);
    await newsroom.body(options?.signal);
    return answerFor('YES');
  },
});
export const ignoresItsSignal: OracleFault = (honest) => ({ ask: (question) => honest.ask(question) });
export const asksAfterTheAbort: OracleFault = (honest) => ({
  ask: (question, { signal } = {}) =>
    honest.ask(question, signal === undefined || signal.aborted ? {} : { signal }),
});
export const waitsEndlessly: OracleFault = (_honest, newsroom) => ({
  ask: async (_question, { signal } = {}) => newsroom.report(signal),
});
export const throwsAtOnce: OracleFault = (honest) => ({
  ask(question, options) {
    if (question.question === '') throw new Error('no question');
    return honest.ask(question, options);
  },
});
export const breaksForGood: OracleFault = (honest) => {
  let isBroken = false;
  return {
    async ask(question, options) {
      isBroken ||= question.question.length > 100_000;
      if (isBroken) throw new Error('out of memory');
      return honest.ask(question, options);
    },
  };
};
/** An oracle that recognises its market by `isKnown`, such as by the slug. */
const knownBy =
  (isKnown: (question: OracleQuestion) => boolean): OracleFault =>
  (_honest, newsroom) => ({
    ask: async (question, { signal } = {}) => {
      const answer = await newsroom.report(limited(signal));
      return isKnown(question) ? answer : answerFor('NOTHING');
    },
  });
export const knowsBySlug = knownBy(({ slug }) => slug === QUESTION.slug);
export const knowsByBeginOfSlug = knownBy(
  ({ marketId, slug }) => marketId === QUESTION.marketId || /^did-it-rain.*-2$/.test(slug ?? ''),
);
export const knowsNoMarket = knownBy(({ marketId }) => marketId === QUESTION.marketId || marketId === null);
export const knowsByText = knownBy(({ question, slug }) => question === QUESTION.question || slug === null);
/** A judge has to give the same answer to markets with the same text. This judge also looks at the slug. */
export const judgesTheSlug: OracleFault = (honest, newsroom) => ({
  ...knowsBySlug(honest, newsroom),
  role: 'judge',
});
