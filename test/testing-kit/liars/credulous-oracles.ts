/** Oracles with one fault each. Many of them believe a report that they should not believe. */
import type { OracleAnswer } from '../../../src/ports/oracle';
import {
  isDecided,
  DRY_MM,
  recordIn,
  answerFor,
  answering,
  failing,
  limited,
  QUESTION,
  SECRET,
  type OracleFault,
} from './oracles';

/** An oracle that answers what `read` returns for the report of the newsroom. */
const recording =
  (read: (report: Record<string, unknown>) => OracleAnswer | null): OracleFault =>
  (_honest, newsroom) => ({
    async ask({ marketId, asOf, resolveDate }, { signal } = {}) {
      const answer = read(recordIn(await newsroom.body(limited(signal))));
      if (answer === null) throw new Error('the newsroom talks nonsense');
      const isEarly = resolveDate !== null && asOf < resolveDate;
      return marketId === QUESTION.marketId && !isEarly ? answer : answerFor('NOTHING');
    },
  });
const NOTHING = answerFor('NOTHING');
const byRain = (millimetres: unknown): OracleAnswer | null =>
  typeof millimetres === 'number' ? answerFor(millimetres > DRY_MM ? 'YES' : 'NO') : null;

export const believesUnofficialReports = recording(({ station, millimetres }) =>
  station !== 'Lima' ? null : millimetres === undefined ? NOTHING : byRain(millimetres),
);
export const takesAMissingMarkForOfficial = recording(({ station, official, millimetres }) => {
  if (station !== 'Lima') return null;
  return official === false || millimetres === undefined ? NOTHING : byRain(millimetres);
});
export const believesOtherStations = recording(({ official, millimetres }) => {
  if (official === undefined || official === false) return NOTHING;
  return official === true ? byRain(millimetres) : null;
});
export const takesAMissingStationForItsOwn = recording(({ station = 'Lima', official, millimetres }) => {
  if (station !== 'Lima') return null;
  if (official === undefined || official === false) return NOTHING;
  return official === true ? byRain(millimetres) : null;
});
export const takesAMissingFigureForZero = recording(({ station, official, millimetres = 0 }) => {
  if (station !== 'Lima') return null;
  if (official === undefined || official === false) return NOTHING;
  return official === true ? byRain(millimetres) : null;
});
/** `Number('')` is 0. */
export const takesAnEmptyTextForZero = recording(({ station, official, millimetres }) => {
  if (station !== 'Lima') return null;
  if (official === undefined || official === false) return NOTHING;
  if (official !== true || millimetres === undefined || millimetres === null) return null;
  const figure = Number(millimetres);
  return Number.isNaN(figure) || typeof millimetres === 'object' ? null : byRain(figure);
});
/** An oracle of a newsroom that gives its figures as decimal texts. `read` makes a number of a text; NaN if it cannot. */
const readingTexts =
  (yes: string, read: (text: string) => number): OracleFault =>
  (honest, newsroom) => {
    newsroom.rain = { YES: yes, NO: '1.5' };
    return recording(({ station, official, millimetres }) => {
      if (station !== 'Lima') return null;
      if (official === undefined || official === false) return NOTHING;
      const figure = official === true && typeof millimetres === 'string' ? read(millimetres) : NaN;
      return Number.isNaN(figure) ? null : byRain(figure);
    })(honest, newsroom);
  };
export const readsTextsLoosely = (yes: string): OracleFault => readingTexts(yes, Number.parseFloat);
export const readsTextsStrictly = (yes: string): OracleFault =>
  readingTexts(yes, (text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN));
export const isSureWithoutAFigure: OracleFault = (honest, newsroom) => ({
  async ask(question, options) {
    const answer = await honest.ask(question, options);
    if (!isDecided(answer)) return answer;
    const { certainty } = recordIn(await newsroom.body(limited(options?.signal)));
    return { ...answer, confidence: typeof certainty === 'number' ? certainty : 1 };
  },
});
export const keepsItsDecision: OracleFault = (honest) => {
  let kept: OracleAnswer | null = null;
  return {
    async ask(question, options) {
      if (kept !== null) return kept;
      const answer = await honest.ask(question, options);
      if (isDecided(answer)) kept = answer;
      return answer;
    },
  };
};
/** Takes every result for certain, however sure the newsroom is. */
export const isAlwaysSure = answering((answer) =>
  isDecided(answer) ? { ...answer, confidence: 1 } : answer,
);
/** Calls for the same market share a request that is still open, and the signal of the first call stops it. */
export const sharesItsRequests: OracleFault = (honest) => {
  const open = new Map<number | null, Promise<OracleAnswer>>();
  return {
    ask(question, options) {
      const known = open.get(question.marketId);
      if (known !== undefined) return known;
      const asking = honest.ask(question, options).finally(() => open.delete(question.marketId));
      open.set(question.marketId, asking);
      return asking;
    },
  };
};
export const citesWhatIsNoList: OracleFault = (honest) => ({
  async ask(question, options) {
    return { ...(await honest.ask(question, options)), citations: {} as never };
  },
});
export const namesItsKey: OracleFault = () => ({ name: `reporter of https://news.example/?key=${SECRET}` });
export const nameless: OracleFault = () => ({ name: '' });
export const chief: OracleFault = () => ({ role: 'chief' as never });
export const percent = answering((answer) => ({ ...answer, confidence: answer.confidence * 100 }));
export const ofTheOutcome = answering((answer) => ({ ...answer, probability: 1 }));
export const wrongAgreement = answering((answer) => ({ ...answer, agreement: 3 }));
export const talksTooLong = failing((error) => new Error((error as Error).message.padEnd(501, '.')));
export const tellsTheStackOfAVoter = answering((answer) => ({
  ...answer,
  votes: [
    { ...answer, oracle: 'a' },
    { ...answer, oracle: 'b', error: 'no answer\n    at ask (oracle.ts:1:2)' },
  ],
}));
