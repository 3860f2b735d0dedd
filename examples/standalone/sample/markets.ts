/** The markets of `sample`. All questions are made up, so that no page states something about real people. */

import type { CreateMarketInput } from 'express-prediction-market';

/** With this seed the markets that are over have outcomes of both kinds. */
export const DEFAULT_SEED = 3;

export interface SampleMarket {
  question: string;
  category: CreateMarketInput['category'];
  criteria: string;
  /** How long before the present the market is opened. */
  openedDaysAgo: number;
  /** When trading ends, counted from the present. Negative: the market is resolved in the past. */
  endsInMinutes: number;
  /** What the traders believe at first: the probability of YES. */
  belief: number;
}

const HOUR = 60;
const DAY = 24 * HOUR;

export const SAMPLE_MARKETS: readonly SampleMarket[] = [
  {
    question: 'Will the Harbour Lights win the island league?',
    category: 'sports',
    criteria: 'The table of the league after the last match day shows the Harbour Lights first.',
    openedDaysAgo: 28,
    endsInMinutes: -6 * DAY,
    belief: 0.35,
  },
  {
    question: 'Will the comet be seen without a telescope before the new moon?',
    category: 'science',
    criteria: 'The observatory on the hill reports a brightness of 6.0 magnitudes or more.',
    openedDaysAgo: 26,
    endsInMinutes: -2 * DAY,
    belief: 0.6,
  },
  {
    question: 'Will the council open the old bridge for bicycles this month?',
    category: 'politics',
    criteria: 'The minutes of the council record the decision, and bicycles may cross the bridge.',
    openedDaysAgo: 21,
    endsInMinutes: -1 * DAY,
    belief: 0.5,
  },
  {
    question: 'Will the ferry leave on time this morning?',
    category: 'other',
    criteria: 'The harbour master writes a departure at most five minutes after the timetable.',
    openedDaysAgo: 2,
    endsInMinutes: 5,
    belief: 0.7,
  },
  {
    question: 'Will the lighthouse film open at number one?',
    category: 'entertainment',
    criteria: 'The list of the cinemas for the opening weekend has the film in the first place.',
    openedDaysAgo: 18,
    endsInMinutes: 15,
    belief: 0.45,
  },
  {
    question: 'Will it rain at the summer fair?',
    category: 'other',
    criteria: 'The gauge at the town hall shows at least one millimetre between noon and midnight.',
    openedDaysAgo: 9,
    endsInMinutes: 45,
    belief: 0.3,
  },
  {
    question: 'Will the northern team reach the final?',
    category: 'sports',
    criteria: 'The northern team wins its semi-final, also after extra time or penalties.',
    openedDaysAgo: 24,
    endsInMinutes: 3 * DAY,
    belief: 0.55,
  },
  {
    question: 'Will the token of the river bank trade above 2 USD at the end of the month?',
    category: 'crypto',
    criteria:
      'The mean of the prices of the three largest venues in the last hour of the month is above 2 USD.',
    openedDaysAgo: 28,
    endsInMinutes: 9 * DAY,
    belief: 0.4,
  },
  {
    question: 'Will the network finish its upgrade without a halt?',
    category: 'crypto',
    criteria: 'A block is made in every minute of the first day after the upgrade.',
    openedDaysAgo: 16,
    endsInMinutes: 5 * DAY,
    belief: 0.85,
  },
  {
    question: 'Will the mayor of the valley stand again?',
    category: 'politics',
    criteria: 'The list of candidates that the electoral office publishes has the name of the mayor.',
    openedDaysAgo: 27,
    endsInMinutes: 30 * DAY,
    belief: 0.65,
  },
  {
    question: 'Will the deep-sea probe send its first pictures this season?',
    category: 'science',
    criteria: 'The institute publishes at least one picture that the probe took below 4,000 metres.',
    openedDaysAgo: 20,
    endsInMinutes: 21 * DAY,
    belief: 0.5,
  },
  {
    question: 'Will the band of the old mill play an encore at every concert of the tour?',
    category: 'entertainment',
    criteria: 'The programme that the band publishes after each concert lists an encore.',
    openedDaysAgo: 12,
    endsInMinutes: 14 * DAY,
    belief: 0.25,
  },
];
