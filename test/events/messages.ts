import type { StoredFact } from '../../src/domain/events';
import { channelMessages } from '../../src/events/channel-messages';
import { channelName } from '../../src/events/channel-keys';
import type { EventMessage } from '../../src/events/protocol';
import { isoTime } from '../../src/views/format';

export function sentMessages(row: StoredFact, prev: number | null = null): EventMessage[] {
  return channelMessages(row).map(({ channel, event, marketSeq, data }) => {
    const ts = isoTime(row.createdAt);
    const message = { channel: channelName(channel), event, seq: row.seq ?? 0, prev, marketSeq, ts, data };
    return { type: 'event', ...message };
  });
}
