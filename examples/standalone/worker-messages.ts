/** What the primary process and its workers tell each other over the channel of node:cluster. */
import type { FoundBooks } from './banner';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of one process, in the form that prom-client can add up. */
export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[];

export type ToPrimary =
  | { type: 'ready'; port: number; books: FoundBooks }
  /** A client asks this worker for the metrics of the server. */
  | { type: 'scrape' }
  | { type: 'figures'; round: number; figures: Figures };

export type ToWorker =
  | { type: 'stop' }
  | { type: 'collect'; round: number }
  /** `null`: a worker did not answer in time. */
  | { type: 'scraped'; text: string | null };
