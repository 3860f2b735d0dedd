/** The data that a page shows. Messages keep them up to date, and after a gap the data are read again. */
import type { Timers } from '../../../src/client/live/link';
import type { ChannelEvent } from '../../../src/client/live/server-messages';

export interface LiveData<State> {
  /** Reads the data from the server, as of `seq` or later. `null`: any answer will do. */
  load(seq: number | null): Promise<State>;
  /**
   * Applies a message that the data may already contain. After the last message, the data must be right in
   * either case.
   */
  apply(state: State, event: ChannelEvent): State;
  draw(state: State): void;
}

export interface LiveView {
  event(event: ChannelEvent): void;
  /** Reads the data as of `seq`, and tries again until a reading succeeds. */
  stale(seq: number): void;
  /** Reads the data once, as of the newest message or later. */
  refresh(): Promise<void>;
  /** `failed`: the last reading for `stale` has failed, and the view tries again. */
  state(): 'fresh' | 'reading' | 'failed';
}

const RETRY_MS = 3_000;
/** A reading fails if more messages than this arrive during the reading. */
const MOST_WAITING = 2_000;

interface Reading {
  turn: number;
  /** The messages that arrived since the reading began. The data may contain some of them already. */
  waiting: ChannelEvent[];
}

export function createLiveView<State>(
  data: LiveData<State>,
  timers: Timers,
  /** Called when `state` may have changed. */
  changed: () => void,
): LiveView {
  let state: { value: State } | null = null;
  let condition: 'fresh' | 'reading' | 'failed' = 'reading';
  /** The `seq` as of which the data have to be read; null if no such reading is due. */
  let staleAt: number | null = null;
  let newestSeq: number | null = null;
  const readings = createReadings(data, show);

  function show(value: State): void {
    state = { value };
    data.draw(value);
  }

  function readUntilFresh(seq: number): void {
    readings.read(seq).then(
      () => {
        if (staleAt !== seq) return;
        staleAt = null;
        condition = 'fresh';
        changed();
      },
      () => {
        if (staleAt === seq) condition = 'failed';
        changed();
        timers.after(RETRY_MS, () => {
          if (staleAt === seq) readUntilFresh(seq);
        });
      },
    );
  }

  return {
    event(event) {
      newestSeq = Math.max(newestSeq ?? event.seq, event.seq);
      readings.arrived(event);
      if (state !== null) show(data.apply(state.value, event));
    },
    stale(seq) {
      const underWay = staleAt === seq;
      staleAt = seq;
      newestSeq = seq;
      condition = 'reading';
      changed();
      if (!underWay) readUntilFresh(seq);
    },
    refresh: () => readings.read(newestSeq),
    state: () => condition,
  };
}

/** Reads the data, and applies the messages that arrive during the reading. */
function createReadings<State>(data: Pick<LiveData<State>, 'load' | 'apply'>, show: (state: State) => void) {
  let turn = 0;
  let shownTurn = 0;
  const underWay = new Set<Reading>();
  return {
    async read(seq: number | null): Promise<void> {
      turn += 1;
      const reading: Reading = { turn, waiting: [] };
      underWay.add(reading);
      try {
        const loaded = await data.load(seq);
        if (!underWay.has(reading)) throw new Error('Too many messages arrived during the reading.');
        // The result of a later reading is already shown.
        if (reading.turn < shownTurn) return;
        shownTurn = reading.turn;
        show(reading.waiting.reduce<State>((value, event) => data.apply(value, event), loaded));
      } finally {
        underWay.delete(reading);
      }
    },
    arrived(event: ChannelEvent): void {
      for (const reading of underWay) {
        reading.waiting.push(event);
        if (reading.waiting.length > MOST_WAITING) underWay.delete(reading);
      }
    },
  };
}
