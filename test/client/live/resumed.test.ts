import { openLive, type LiveSubscription } from '../../../src/client/live/open-live';
import type { LiveMessage } from '../../../src/client/live/live-messages';
import { seededRandom } from '../../../testing/seeded-random';
import { expectMessage } from '../../support/expect-message';
import { until } from '../../support/until';
import { startServers, type Servers } from './real-servers';

let servers: Servers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.stop());

function randomOf(seed: string): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => (random.bytes(1)[0] ?? 0) % below;
}

async function take(subscription: LiveSubscription, messages: LiveMessage[]): Promise<void> {
  for await (const message of subscription) messages.push(message);
}

function shown(message: LiveMessage): string {
  return message.type === 'event' ? `${message.channel} ${String(message.seq)}` : message.type;
}

it.each(['sockets', 'streams', 'both'])(
  'every message of every channel comes once and in order over %s, whichever instance it resumes on',
  async (transports) => {
    const pick = randomOf(transports);
    const hasSockets = (): boolean => transports === 'sockets' || (transports === 'both' && pick(2) === 0);
    const [first, second] = servers.markets;
    const channels = ['trades', `market:${String(first)}`, 'prices', 'account'];
    const apiKey = servers.traderKey;
    const open = (since?: { epoch: string; seq: number }): LiveSubscription =>
      openLive(
        channels,
        { apiKey, since },
        servers.connection(() => pick(2), hasSockets),
      );
    const messages: LiveMessage[] = [];
    let subscription = open();
    let done = take(subscription, messages);
    await until(() => messages.length > 0);
    const [begin] = messages;
    expect(begin).toMatchObject({ type: 'snapshot', channels, markets: [{ id: first }], account: {} });
    let seq = begin?.seq ?? 0;
    const expected: string[] = [];
    for (let round = 0; round < 60; round += 1) {
      const market = pick(2) === 0 ? first : second;
      const [one, other] = servers.instances;
      await servers.trade((pick(2) === 0 ? one : other) ?? one!, market);
      seq += 1;
      for (const channel of channels)
        if (!channel.startsWith('market:') || market === first) expected.push(`${channel} ${String(seq)}`);
      if (pick(4) === 0) servers.cut();
      if (pick(3) === 0) await until(() => messages.length > 1 + pick(expected.length));
      if (pick(12) > 0) continue;
      await subscription.return();
      await done;
      const position = subscription.position();
      while (messages.length > 1 && (messages.at(-1)?.seq ?? 0) > (position?.seq ?? 0)) messages.pop();
      subscription = open(position ?? undefined);
      done = take(subscription, messages);
    }
    await until(() => messages.length >= 1 + expected.length);
    await subscription.return();
    await done;
    const events = messages.slice(1);
    const seqs = events.map((message) => message.seq);
    expect(seqs).toEqual([...seqs].sort((left, right) => left - right));
    // Messages of one fact may arrive in any order, so the test sorts them.
    expect(events.map(shown).sort()).toEqual(expected.sort());
    for (const message of events) expectMessage(message);
  },
);
