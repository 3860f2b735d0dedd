import { channelMessages } from '../../src/events/channel-messages';
import type { StoredFact } from '../../src/domain/events';
import { eventsOfFact } from '../../src/events/events-of-fact';
import { webhookMessage } from '../../src/events/webhook-message';

const REASON = 'Under investigation.';
const factOf = (status: string): StoredFact => ({
  ...{ seq: 1, kind: 'creator.updated', marketId: null, marketSeq: null, createdAt: 0 },
  data: { address: `0x${'ab'.repeat(20)}`, status, reason: REASON },
});

it.each([
  ['rejected', REASON],
  ['suspended', null],
])('a %s creator and webhooks are told the reason %s', (status, reason) => {
  const fact = factOf(status);
  expect(channelMessages(fact)).toMatchObject([{ event: 'creator.updated', data: { status, reason } }]);
  const body = webhookMessage(eventsOfFact(fact))?.body ?? '';
  expect(JSON.parse(body)).toMatchObject({ data: { status, reason } });
  expect(eventsOfFact(fact)).toMatchObject([{ data: { status, reason: REASON } }]);
});
