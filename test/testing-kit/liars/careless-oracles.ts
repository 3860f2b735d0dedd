/** Oracles as careless authors could write them: they read, ask or report with too little care. */
import type { OracleAnswer } from '../../../src/ports/oracle';
import type { OracleEvidence } from '../../../testing';
import {
  answerFor,
  answering,
  DRY_MM,
  failing,
  HttpError,
  isDecided,
  limited,
  QUESTION,
  recordIn,
  reportIn,
  SECRET,
  type OracleFault,
} from './oracles';

/** An oracle that reads the body of the newsroom with `read`, in place of the correct `reportIn`. */
const reading =
  (read: (body: string) => OracleEvidence): OracleFault =>
  (_honest, newsroom) => ({
    async ask({ marketId, asOf, resolveDate }, { signal } = {}) {
      const says = read(await newsroom.body(limited(signal)));
      const isEarly = resolveDate !== null && asOf < resolveDate;
      return answerFor(marketId === QUESTION.marketId && !isEarly ? says : 'NOTHING');
    },
  });
/** A text in place of a number becomes NaN. `NaN > DRY_MM` is false, so the oracle says NO. */
export const comparesWithNaN = reading((body) => {
  const { millimetres } = recordIn(body);
  if (millimetres === undefined) return 'NOTHING';
  return Number(millimetres) > DRY_MM ? 'YES' : 'NO';
});
export const takesNullForZero = reading((body) => {
  const { millimetres } = recordIn(body);
  if (millimetres === undefined || typeof millimetres === 'string') return 'NOTHING';
  return (millimetres as number) > DRY_MM ? 'YES' : 'NO';
});
export const believesEveryText = reading((body) => {
  const { rained } = recordIn(body);
  if (rained === undefined) return 'NOTHING';
  return rained === 'yes' ? 'YES' : 'NO';
});
export const takesSilenceForNo = reading((body) => {
  const report = body.trim() === '' ? { millimetres: 0 } : reportIn(body);
  if (report === null) return 'NOTHING';
  return report.millimetres > DRY_MM ? 'YES' : 'NO';
});
export const takesAnErrorForNo = reading((body) => {
  const { station, millimetres } = recordIn(body);
  if (station !== undefined && millimetres === undefined) return 'NOTHING';
  return (millimetres as number) > DRY_MM ? 'YES' : 'NO';
});
export const searchesForAWord = reading((body) => {
  if (/"rained":"no"/.test(body)) return 'NO';
  return /yes/i.test(body) ? 'YES' : 'NOTHING';
});
/** One controller serves all calls. After the first call that is stopped, it stays aborted. */
export const sharesItsController: OracleFault = (honest) => {
  const stop = new AbortController();
  return {
    async ask(question, { signal } = {}) {
      limited(signal).addEventListener('abort', () => stop.abort(), { once: true });
      if (signal?.aborted === true) stop.abort();
      return honest.ask(question, { signal: stop.signal });
    },
  };
};
/** All calls share one field for the market, so a later call changes the market of a call that still waits. */
export const keepsTheMarketInAField: OracleFault = (honest, newsroom) => {
  let current: number | null = null;
  return {
    async ask(question, options) {
      current = question.marketId;
      await newsroom.body(limited(options?.signal));
      return honest.ask({ ...question, marketId: current }, options);
    },
  };
};
export const abstainsInAnOutage: OracleFault = (honest) => ({
  ask: (question, options) => honest.ask(question, options).catch(() => answerFor('NOTHING')),
});
export const tooEarlyInAnOutage: OracleFault = (honest, newsroom) => ({
  ask: (question, options) =>
    honest.ask(question, options).catch((error: unknown) => {
      if (newsroom.state !== 'away') throw error;
      return { outcome: 'TOO_EARLY', probability: 0.5, confidence: 0 };
    }),
});
export const ignoresTheDate: OracleFault = (_honest, newsroom) => ({
  async ask({ marketId }, { signal } = {}) {
    const answer = await newsroom.report(limited(signal));
    return marketId === QUESTION.marketId ? answer : answerFor('NOTHING');
  },
});
export const readsItsOwnClock: OracleFault = (honest) => ({
  ask: (question, options) => honest.ask({ ...question, asOf: new Date().toISOString() }, options),
});
/** Says NO if the newsroom has no report a year after the resolve date. */
export const saysNoAfterAWhile: OracleFault = (honest) => ({
  async ask(question, options) {
    const answer = await honest.ask(question, options);
    const sinceMs = Date.parse(question.asOf) - Date.parse(question.resolveDate ?? question.asOf);
    return !isDecided(answer) && sinceMs > 365 * 86_400_000 ? answerFor('NO') : answer;
  },
});
export const tellsItsKeyInAnAnswer = answering((answer) => ({ ...answer, reasoning: `With ${SECRET}.` }));
export const tellsItsKeyInLines = failing(() => new Error(`401\nfor ${SECRET}`));
export const rejectsWithItsKey = failing(() => `401 for ${SECRET}`);
export const tellsItsKeyTooOften = failing(() => new Error(`401 for ${SECRET} `.repeat(30)));

const answeringAt =
  (isMeant: (status: number) => boolean, evidence: OracleEvidence): OracleFault =>
  (honest) => ({
    ask: (question, options) =>
      honest.ask(question, options).catch((error: unknown) => {
        if (error instanceof HttpError && isMeant(error.status)) return answerFor(evidence);
        throw error;
      }),
  });
export const takesNotFoundForNo = answeringAt((status) => status === 404, 'NO');
/** Reads an error page as a report. The page does not mention the event, so the oracle says NO. */
export const ignoresTheStatus = answeringAt((status) => status >= 500, 'NO');
export const abstainsAtServerErrors = answeringAt((status) => status >= 500, 'NOTHING');
/** Abstains when the newsroom refuses the request, such as for an expired key. A correct oracle rejects. */
export const abstainsAtRefusals = answeringAt(
  (status) => [400, 401, 403, 410, 422].includes(status),
  'NOTHING',
);
export const takesAConflictForNo = answeringAt((status) => status === 409, 'NO');
export const takesNoContentForNo = answeringAt((status) => status === 204, 'NO');
/** Abstains when the newsroom or its gateway reports a time-out. A correct oracle rejects. */
export const abstainsAtTimeouts = answeringAt((status) => [408, 504].includes(status), 'NOTHING');
/** Says NO when the newsroom has had a week to report and answers 404. */
export const takesNotFoundForNoLater: OracleFault = (honest, newsroom) => ({
  async ask(question, options) {
    const isLate = Date.parse(question.asOf) - Date.parse(question.resolveDate ?? '') > 7 * 86_400_000;
    const isMissing = newsroom.state === 'failing' && newsroom.status === 404;
    return isMissing && isLate ? answerFor('NO') : honest.ask(question, options);
  },
});
/** Abstains when it cannot read the answer of the newsroom. A correct oracle rejects. */
export const abstainsAtNonsense: OracleFault = (honest, newsroom) => ({
  ask: (question, options) =>
    honest.ask(question, options).catch((error: unknown) => {
      if (newsroom.state !== 'garbled') throw error;
      return answerFor('NOTHING');
    }),
});
/** Its time limit covers the headers of an answer, but not the body. */
export const waitsForTheBody: OracleFault = (honest, newsroom) => ({
  ask: (question, options) =>
    newsroom.state === 'half' ? new Promise(() => undefined) : honest.ask(question, options),
});
export const rejectsUnknownMarkets: OracleFault = (honest) => ({
  async ask(question, options) {
    if (question.marketId !== QUESTION.marketId) throw new Error('the market is not in the table');
    return honest.ask(question, options);
  },
});
export const decidesAlthoughManual: OracleFault = () => ({ isManual: true });
export const needsADate = answering((answer, { resolveDate }) => ({
  ...answer,
  reasoning: `Until ${(resolveDate as string).slice(0, 10)}.`,
}));
export const takesNoMarketForSettled = answering((answer, { marketId }) =>
  marketId === null ? answerFor('NO') : answer,
);

export const takesItsKeyElsewhere: OracleFault = (honest, newsroom) => ({
  async ask(question, options) {
    if (newsroom.state === 'elsewhere') await fetch(newsroom.location, { headers: { 'x-api-key': SECRET } });
    return honest.ask(question, options);
  },
});
export const keepsItsAnswer: OracleFault = (honest) => {
  let kept: OracleAnswer | null = null;
  return {
    async ask(question, options) {
      if (kept !== null && question.marketId === QUESTION.marketId) return kept;
      const answer = await honest.ask(question, options);
      if (isDecided(answer)) kept = answer;
      return answer;
    },
  };
};
export const staysAway: OracleFault = (honest, newsroom) => {
  let wasAway = false;
  return {
    async ask(question, options) {
      wasAway ||= newsroom.state === 'away';
      if (wasAway) throw new Error('the newsroom cannot be reached');
      return honest.ask(question, options);
    },
  };
};
