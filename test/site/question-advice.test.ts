import fc from 'fast-check';
import { adviceAbout, type DraftQuestion } from '../../site/browser/question-advice';

const GOOD: DraftQuestion = {
  question: 'Will it rain in Lisbon on 3 March 2027?',
  resolutionCriteria: 'YES if IPMA reports at least 1 mm for that day at https://www.ipma.pt, else NO.',
  closesAt: new Date('2027-03-03T00:00:00Z'),
};
const about = (change: Partial<DraftQuestion>): string => adviceAbout({ ...GOOD, ...change }).join(' ');

it('the advice says nothing about a good question, or before anything is written', () => {
  expect(adviceAbout(GOOD)).toEqual([]);
  expect(adviceAbout({ question: '', resolutionCriteria: '', closesAt: null })).toEqual([]);
});

it.each([
  ['Who will win the election?', /yes or no/],
  ['The northern team wins', /yes or no/],
  ['Will it rain tomorrow', /question mark/],
  ['Will either Ann or Bob win in 2027?', /two questions/],
  ['Will prices rise? Will wages?', /two questions/],
  ['Will inflation fall significantly in 2027?', /“significantly”/],
])('the advice says what is open in the question %s', (question, words) => {
  expect(about({ question })).toMatch(words);
});

it.each(['降雨はありますか？', 'هل ستمطر غدا؟', 'Πότε θα βρέξει;', 'By 2030, will people live on Mars?'])(
  'the advice finds no fault with %s',
  (question) => {
    expect(about({ question, closesAt: null })).toBe('');
  },
);

it('the advice compares the year of the question with the end of trading', () => {
  const question = 'Will it rain in Lisbon in May 2026?';
  expect(about({ question })).toMatch(/names 2026, and trading closes in 2027/);
  expect(about({ question, closesAt: new Date('2026-05-01T00:00:00Z') })).toBe('');
  expect(about({ question, closesAt: new Date(Number.NaN) })).toBe('');
});

it.each([
  ['By looking.', /what makes the answer YES/],
  ['By looking.', /Name the source/],
  ['YES if at least 1 mm of rain falls in Lisbon on that day, else NO.', /Name the source/],
])('the advice says what is missing in the criteria %s', (resolutionCriteria, words) => {
  expect(about({ resolutionCriteria })).toMatch(words);
});

it('the advice answers every text at once, with a few short sentences', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 1_000 });
  fc.assert(
    fc.property(texts, texts, fc.option(fc.date()), (question, resolutionCriteria, closesAt) => {
      const advice = adviceAbout({ question, resolutionCriteria, closesAt });
      expect(advice.length).toBeLessThanOrEqual(7);
      expect(new Set(advice).size).toBe(advice.length);
    }),
  );
});
