/**
 * How far this client has received each channel. Every message of a channel up to its position has arrived. So
 * the position says where to resume, which message is a copy, and whether a message was lost.
 */
import { isConflated, type ChannelEvent, type EventPosition } from './messages';

export interface EventPositions {
  /** From `welcome`. Another epoch makes the known positions meaningless. */
  enter(epoch: string): void;
  /** The client reads its data as of `seq`, and receives what follows. */
  begin(channel: string, seq: number): void;
  /** The position says nothing any more, for example because the channel belongs to another wallet now. */
  forget(channel: string): void;
  /** Everything of these channels up to `seq` has arrived. */
  reach(channels: readonly string[], seq: number): void;
  /** Where to resume. `null`: the client has to read its data again. */
  since(channel: string, head: number): EventPosition | null;
  /** Where a stream of all these channels resumes. `null` where one of them has no position. */
  sinceOfAll(channels: readonly string[]): EventPosition | null;
  /** `gap`: a message before this one is missing. The position is set back to before it. */
  take(event: ChannelEvent): 'new' | 'copy' | 'gap';
}

/** After a longer absence it is cheaper to read the data again than to receive every message. */
const MOST_MISSED = 5_000;

export function createEventPositions(): EventPositions {
  let current = '';
  const reached = new Map<string, number>();
  /**
   * The last message that arrived, or where the channel began. The next message names it as `prev`, also after
   * a resumption. `reach` leaves it as it is, so a message that was lost before `reach` is still noticed.
   */
  const chain = new Map<string, number>();

  function begin(channel: string, seq: number): void {
    // Not every message of a conflated channel is sent, so such a channel has no position.
    if (isConflated(channel)) return;
    reached.set(channel, seq);
    chain.set(channel, seq);
  }

  return {
    enter(epoch) {
      if (epoch !== current) {
        reached.clear();
        chain.clear();
      }
      current = epoch;
    },
    begin,
    forget(channel) {
      reached.delete(channel);
      chain.delete(channel);
    },
    reach(channels, seq) {
      for (const channel of channels) {
        const last = reached.get(channel);
        if (last !== undefined) reached.set(channel, Math.max(seq, last));
      }
    },
    since(channel, head) {
      const seq = reached.get(channel);
      return seq === undefined || head - seq > MOST_MISSED ? null : { epoch: current, seq };
    },
    sinceOfAll(channels) {
      const known = channels.map((channel) => reached.get(channel)).filter((seq) => seq !== undefined);
      if (known.length < channels.length || known.length === 0) return null;
      return { epoch: current, seq: Math.min(...known) };
    },
    take({ channel, seq, prev = null }) {
      if (isConflated(channel)) return 'new';
      const last = reached.get(channel);
      if (last !== undefined && seq <= last) return 'copy';
      const before = chain.get(channel);
      if (before !== undefined && prev !== null && prev > before) {
        reached.set(channel, before);
        return 'gap';
      }
      reached.set(channel, seq);
      chain.set(channel, seq);
      return 'new';
    },
  };
}
