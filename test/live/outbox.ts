/** A storage with several writers: a committed event has no number until `sequence` gives the event one. */
import type { NewFact, StoredFact } from '../../src/domain/events';
import type { FeedIntake } from '../../src/live/feed/live-feed';
import type { Storage } from '../../src/ports/storage';

export const NO_FEED: FeedIntake = {
  hasReaders: () => false,
  start: () => undefined,
  handOut: async () => undefined,
  rest: async () => undefined,
  skipTo: () => undefined,
};

interface State {
  rows: StoredFact[];
  lease: { owner: string; until: number } | null;
  settings: Map<string, string>;
}

export interface Outbox {
  storage: Storage;
  commit(...events: NewFact[]): void;
  calls: { transactions: number; sequences: number };
  away: Error | null;
  leaseOwner(): string | null;
  seqs(): (number | null)[];
}

export function unsequencedOutbox(): Outbox {
  let state: State = { rows: [], lease: null, settings: new Map() };
  const calls = { transactions: 0, sequences: 0 };
  const head = (): number => Math.max(0, ...state.rows.map(({ seq }) => seq ?? 0));
  const readers = {
    events: {
      head: async () => head(),
      after: async (seq: number, limit: number) =>
        state.rows
          .filter((row) => row.seq !== null && row.seq > seq)
          .sort((left, right) => Number(left.seq) - Number(right.seq))
          .slice(0, limit),
    },
  };
  const writers = {
    settings: {
      putIfAbsent: async (name: string, value: string) => {
        const stored = state.settings.get(name) ?? value;
        state.settings.set(name, stored);
        return stored;
      },
      put: async (name: string, value: string) => void state.settings.set(name, value),
    },
    leases: {
      acquire: async ({ owner, now, until }: { owner: string; now: number; until: number }) => {
        if (state.lease !== null && state.lease.owner !== owner && state.lease.until > now) return null;
        state.lease = { owner, until };
        return { token: 1 };
      },
      release: async ({ owner }: { owner: string }) => {
        if (state.lease?.owner === owner) state.lease = null;
      },
    },
    events: {
      ...readers.events,
      append: async (events: readonly NewFact[]) => {
        for (const event of events) state.rows.push({ ...event, seq: null });
      },
      sequence: async (limit: number) => {
        calls.sequences += 1;
        const waiting = state.rows.filter(({ seq }) => seq === null).slice(0, limit);
        for (const row of waiting) row.seq = head() + 1;
        return waiting.length;
      },
    },
  };
  let turn = Promise.resolve();
  const outbox: Outbox = {
    calls,
    away: null,
    commit: (...events) => void writers.events.append(events),
    leaseOwner: () => state.lease?.owner ?? null,
    seqs: () => state.rows.map(({ seq }) => seq),
    storage: {
      eventNumbering: 'relay',
      read: async (work: (reader: typeof readers) => Promise<unknown>) => {
        if (outbox.away !== null) throw outbox.away;
        return work(readers);
      },
      transaction: (work: (tx: typeof writers) => Promise<unknown>) => {
        const run = turn.then(async () => {
          if (outbox.away !== null) throw outbox.away;
          calls.transactions += 1;
          const before = structuredClone(state);
          try {
            return await work(writers);
          } catch (error) {
            state = before;
            throw error;
          }
        });
        turn = run.then(
          () => undefined,
          () => undefined,
        );
        return run;
      },
    } as unknown as Storage,
  };
  return outbox;
}
