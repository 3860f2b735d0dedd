/** The worker's side of the link between a worker (setting WORKERS) and the primary process. */
import cluster from 'node:cluster';
import type { FoundBooks } from './banner';
import { sharedRead } from './shared-read';
import type { Figures, ToPrimary, ToWorker } from './worker-messages';

export interface PrimaryLink {
  /** Handles the messages of the primary, also those that arrived before this call. */
  follow(orders: { stop(): void; figures(): Promise<Figures> }): void;
  ready(port: number, books: FoundBooks): void;
  /** The metrics of all workers as one text. `null` if a worker did not answer in time. */
  scrape(): Promise<string | null>;
}

/** The link of a worker. `null` in a process that is no worker. */
export function linkToPrimary(): PrimaryLink | null {
  if (!cluster.isWorker) return null;
  // A message to a primary that has ended is lost. That does no harm, because Node then ends the worker.
  const tell = (message: ToPrimary): void => void process.send?.(message, undefined, {}, () => undefined);
  let scraped: (text: string | null) => void = () => undefined;
  return {
    follow({ stop, figures }) {
      process.on('message', (message: ToWorker) => {
        if (message.type === 'stop') stop();
        else if (message.type === 'scraped') scraped(message.text);
        else {
          const { round } = message;
          // If `figures` fails, the worker does not answer. The primary then reports, after a time limit,
          // that a worker did not answer.
          figures().then(
            (collected) => tell({ type: 'figures', round, figures: collected }),
            () => undefined,
          );
        }
      });
    },
    ready: (port, books) => tell({ type: 'ready', port, books }),
    // All clients that ask at the same time share one message to the primary.
    scrape: sharedRead(async () => {
      const answer = new Promise<string | null>((resolve) => (scraped = resolve));
      tell({ type: 'scrape' });
      const text = await answer;
      if (text === null) throw new Error('a worker did not answer in time');
      return text;
    }),
  };
}
