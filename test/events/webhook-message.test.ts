import fc from 'fast-check';
import type { StoredFact } from '../../src/domain/events';
import { WEBHOOK_EVENTS } from '../../src/domain/webhooks';
import { channelMessages } from '../../src/events/channel-messages';
import { eventsOfFact } from '../../src/events/events-of-fact';
import { webhookMessages } from '../../src/events/webhook.schema';
import { webhookMessage } from '../../src/events/webhook-message';
import { randomFacts } from './random-facts';

interface Body {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

function bodyOf(row: StoredFact): Body | null {
  const message = webhookMessage(eventsOfFact(row));
  return message === null ? null : (JSON.parse(message.body) as Body);
}

it('a fact is one message with the data of its public channel, or none', () => {
  fc.assert(
    fc.property(randomFacts, (row) => {
      const names: readonly string[] = WEBHOOK_EVENTS;
      const told = channelMessages(row).find(({ event }) => names.includes(event));
      const data = told === undefined ? undefined : (JSON.parse(JSON.stringify(told.data)) as object);
      const { seq, marketSeq, createdAt } = row;
      expect(bodyOf(row)).toEqual(
        told === undefined
          ? null
          : {
              type: told.event,
              timestamp: new Date(createdAt).toISOString(),
              data: { ...data, seq, marketSeq },
            },
      );
    }),
  );
});

it('a fact of a later version is no message', () => {
  const row = { seq: 3, marketId: null, marketSeq: null, kind: 'of a later version', createdAt: 0, data: {} };
  expect(bodyOf(row)).toBeNull();
});

it('a message is as the OpenAPI document declares it', () => {
  fc.assert(
    fc.property(randomFacts, (row) => {
      const body = bodyOf(row);
      if (body === null) return;
      const schema = Object.entries(webhookMessages).find(([event]) => event === body.type)?.[1];
      expect(schema?.validate(body, { convert: false }).error).toBeUndefined();
      expect(schema).toBeDefined();
    }),
  );
});
