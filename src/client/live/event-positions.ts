/** How far this client has received each channel. Every message of a channel up to its position has arrived. */
import type { ChannelEvent, EventPosition, ResyncReason } from './server-messages';

export interface PositionRules {
  /** Channels of which the server may leave out messages. They have no position, and begin anew on each connection. */
  conflated: ReadonlySet<string>;
  /**
   * If the client has missed more facts than this, a channel begins anew. `none`: a channel begins anew on each
   * connection.
   */
  mostMissed: number | 'none';
}

/**
 * Why a channel begins. `null`: for the first time. `CUT`: the connection was lost, and the client does not get the
 * missed messages.
 */
export type BeginReason = ResyncReason | 'CUT' | null;

export interface EventPositions {
  /** Called with the epoch of `welcome`. If the epoch has changed, all positions are forgotten. */
  enter(epoch: string): void;
  /** The client has everything up to this position, which the caller has given. */
  resume(channels: readonly string[], position: EventPosition): void;
  /** The client has the state as of `seq`, and receives what follows. */
  begin(channels: readonly string[], seq: number): BeginReason;
  /** Forgets the position of the channel, for example because the channel belongs to another wallet now. */
  forget(channel: string): void;
  /** Everything of these channels up to `seq` has arrived. */
  reach(channels: readonly string[], seq: number): void;
  /**
   * Where these channels resume together. `null`: they begin anew. `head`: the `seq` of the newest fact of the
   * server, if the client knows it.
   */
  since(channels: readonly string[], head: number | null): EventPosition | null;
  epoch(): string;
  /**
   * `gap`: a message before this one is missing. The position is set back to the last message before the gap.
   */
  take(event: ChannelEvent): 'new' | 'copy' | 'gap';
}

export function createEventPositions({ conflated, mostMissed }: PositionRules): EventPositions {
  let current = '';
  /** The channels that have begun, each with the epoch in which it began. */
  const begun = new Map<string, string>();
  const reached = new Map<string, number>();
  /**
   * The `seq` of the last message of each channel, or of its beginning. The next message names it as `prev`. `reach`
   * does not change it, so a message that was lost before `reach` is noticed.
   */
  const chain = new Map<string, number>();

  function begin(channel: string, seq: number): void {
    begun.set(channel, current);
    if (conflated.has(channel)) return;
    reached.set(channel, seq);
    chain.set(channel, seq);
  }

  function beginReason(channels: readonly string[]): BeginReason {
    const epochs = channels.map((channel) => begun.get(channel)).filter((epoch) => epoch !== undefined);
    if (epochs.length === 0) return null;
    return epochs.every((epoch) => epoch === current) ? 'CUT' : 'EPOCH';
  }

  return {
    enter(epoch) {
      if (epoch !== current) {
        reached.clear();
        chain.clear();
      }
      current = epoch;
    },
    resume(channels, { epoch, seq }) {
      current = epoch;
      for (const channel of channels) begin(channel, seq);
    },
    begin(channels, seq) {
      const reason = beginReason(channels);
      for (const channel of channels) begin(channel, seq);
      return reason;
    },
    epoch: () => current,
    forget(channel) {
      begun.delete(channel);
      reached.delete(channel);
      chain.delete(channel);
    },
    reach(channels, seq) {
      for (const channel of channels) {
        const last = reached.get(channel);
        if (last !== undefined) reached.set(channel, Math.max(seq, last));
      }
    },
    since(channels, head) {
      const known = channels.map((channel) => reached.get(channel)).filter((seq) => seq !== undefined);
      if (known.length < channels.length || known.length === 0) return null;
      const seq = Math.min(...known);
      const isTooMuch = mostMissed === 'none' || (head !== null && head - seq > mostMissed);
      return isTooMuch ? null : { epoch: current, seq };
    },
    take({ channel, seq, prev = null }) {
      if (conflated.has(channel)) return 'new';
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
