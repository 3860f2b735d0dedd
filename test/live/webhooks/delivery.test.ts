import { Webhook } from 'standardwebhooks';
import { createTestMarket, type TestMarket } from '../../../testing';
import { startReceiver, status, type ReceivedMessage, type Receiver } from './receiver';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let market: TestMarket;
let receiver: Receiver;
let receivers: Receiver[];
beforeEach(async () => {
  market = await createTestMarket({ webhooks: { allowPrivate: true } });
  receiver = await startReceiver();
  receivers = [receiver];
});
afterEach(async () => {
  await market.close();
  for (const each of receivers) await each.close();
});

const dataOf = ({ body }: ReceivedMessage) => (JSON.parse(body) as { data: { seq: number } }).data;
const seqs = ({ received }: Receiver): number[] => received.map((message) => dataOf(message).seq);

function verified(message: ReceivedMessage, secret: string): unknown {
  const now = jest.spyOn(Date, 'now').mockReturnValue(market.clock.now());
  try {
    return new Webhook(secret).verify(message.body, message.headers);
  } finally {
    now.mockRestore();
  }
}

async function approve(...names: string[]): Promise<void> {
  for (const name of names) await market.approveCreator(market.wallet(name));
}

async function pass(milliseconds: number, each: () => Promise<void> = async () => undefined): Promise<void> {
  const end = market.clock.now() + milliseconds;
  for (;;) {
    const [webhook] = (await market.pm.listWebhooks()).webhooks;
    const at = webhook?.nextAttemptAt ?? null;
    const next = at === null ? Infinity : Date.parse(at);
    if (next > end) break;
    market.clock.set(next);
    await each();
    await market.runJobs();
  }
  market.clock.set(end);
  await market.runJobs();
}

it('a fact is one signed message, with the public data of its event', async () => {
  const { secret, ...webhook } = await market.pm.createWebhook({ url: receiver.url });
  expect(webhook).toMatchObject({ id: 1, status: 'enabled', behind: 0, position: { seq: 0 } });
  const { id } = await market.createMarket({ creator: market.wallet('creator') });
  await market.fund(market.wallet('alice'), 100);
  await market.pm.placeTrade({ wallet: market.wallet('alice').address, market: id, side: 'YES', amount: 10 });
  await market.runJobs();
  const messages = receiver.received.map((message) => verified(message, secret));
  const facts = messages as { type: string; timestamp: string; data: Record<string, unknown> }[];
  expect(facts.map(({ type }) => type)).toEqual(['creator.updated', 'market.created', 'trade']);
  expect(facts[1]).toMatchObject({
    timestamp: '2030-01-01T00:00:00.000Z',
    data: { marketId: id, marketSeq: 1 },
  });
  expect(facts[2]?.data).toMatchObject({
    marketId: id,
    marketSeq: 2,
    side: 'YES',
    yesPrice: expect.any(Number),
  });
  expect(facts[2]?.data['traderAddress']).toMatch(/^0x.{4}….{4}$|^0x[0-9a-fA-F]{4}\.\.\./);
  const { epoch } = market.pm.eventPosition();
  expect(receiver.ids()).toEqual(facts.map(({ data }) => `${epoch}:${String(data['seq'])}`));
  expect((await market.pm.listWebhooks()).webhooks).toMatchObject([{ behind: 0, failures: 0, lost: null }]);
});

it('a webhook is told of the events that it wants', async () => {
  await market.pm.createWebhook({ url: receiver.url, events: ['market.created'] });
  await approve('a', 'b');
  const { id } = await market.createMarket();
  await market.runJobs();
  expect(receiver.received.map((message) => dataOf(message))).toMatchObject([{ marketId: id }]);
});

it('a receiver that is down for an hour gets everything afterwards, in order, with good signatures', async () => {
  const { secret } = await market.pm.createWebhook({ url: receiver.url });
  receiver.answerWith(status(503));
  const { id } = await market.createMarket();
  await market.fund(market.wallet('alice'), 100);
  const trade = () =>
    market.pm.placeTrade({ wallet: market.wallet('alice').address, market: id, side: 'YES', amount: 1 });
  await market.runJobs();
  await pass(HOUR, async () => void (await trade()));
  const attempts = receiver.received.length;
  expect(new Set(receiver.ids()).size).toBe(1);
  receiver.forget();
  receiver.answerWith((response, message) => {
    verified(message, secret);
    response.writeHead(204).end();
  });
  await pass(HOUR);
  const { seq } = market.pm.eventPosition();
  // Fact 3 funded the account and is no public event.
  const wanted = Array.from({ length: seq }, (_, index) => index + 1).filter((each) => each !== 3);
  expect(seqs(receiver)).toEqual(wanted);
  expect(attempts).toBe(6);
  const { deliveries, total } = await market.pm.listWebhookDeliveries({ id: 1, limit: 100 });
  expect(total).toBe(attempts + wanted.length);
  expect(deliveries.at(-1)).toMatchObject({
    attempt: 1,
    outcome: 'failed',
    responseStatus: 503,
    error: 'the receiver answered HTTP 503',
    type: 'creator.updated',
  });
  expect(deliveries[0]).toMatchObject({
    attempt: 1,
    outcome: 'delivered',
    responseStatus: 204,
    error: null,
    seq,
  });
});

it('a webhook that fails for three days is disabled, with an event and an alarm, and goes on when it is enabled', async () => {
  const told: unknown[] = [];
  market.pm.events.on('webhook.disabled', ({ data }) => void told.push(data));
  await market.pm.createWebhook({ url: receiver.url });
  receiver.answerWith(status(500, {}, 'no'));
  await approve('a', 'b');
  await market.runJobs();
  await pass(71 * HOUR);
  expect((await market.pm.listWebhooks()).webhooks[0]).toMatchObject({ status: 'enabled' });
  await pass(HOUR);
  const reason = 'failed for three days: the receiver answered HTTP 500';
  const disabled = {
    status: 'disabled',
    disabledReason: reason,
    nextAttemptAt: null,
    position: { seq: 0 },
    behind: 2,
  };
  expect((await market.pm.listWebhooks()).webhooks[0]).toMatchObject(disabled);
  expect(told).toEqual([{ webhookId: 1, ...market.pm.eventPosition(), seq: 0, reason }]);
  await market.runJobs();
  expect(market.pm.alarms()).toMatchObject([
    { name: 'webhook', subject: 'webhook 1', reason: `disabled: ${reason}` },
  ]);
  receiver.forget();
  receiver.answerWith(status(204));
  await pass(HOUR);
  expect(receiver.ids()).toEqual([]);
  await market.pm.enableWebhook({ id: 1 });
  await market.runJobs();
  expect(seqs(receiver)).toEqual([1, 2]);
  await market.runJobs();
  expect(market.pm.alarms()).toEqual([]);
});

it('HTTP 410 disables a webhook at once', async () => {
  await market.pm.createWebhook({ url: receiver.url });
  receiver.answerWith(status(410));
  await approve('a');
  await market.runJobs();
  expect((await market.pm.listWebhooks()).webhooks[0]).toMatchObject({
    status: 'disabled',
    disabledReason: 'the receiver answered HTTP 410',
    failures: 1,
  });
});

it('a redirect is a failure: it is not followed', async () => {
  const other = await startReceiver();
  receivers.push(other);
  await market.pm.createWebhook({ url: receiver.url });
  receiver.answerWith(status(307, { Location: other.url }));
  await approve('a');
  await market.runJobs();
  expect(other.received).toEqual([]);
  expect((await market.pm.listWebhookDeliveries({ id: 1 })).deliveries).toMatchObject([
    { outcome: 'failed', responseStatus: 307 },
  ]);
});

it('both secrets sign until the overlap of a rotation is over', async () => {
  const first = await market.pm.createWebhook({ url: receiver.url });
  const second = await market.pm.rotateWebhookSecret({ id: 1, overlapSeconds: 3_600 });
  expect(second.secret).not.toBe(first.secret);
  expect(second.oldSecretsUntil).toEqual(['2030-01-01T01:00:00.000Z']);
  await approve('a');
  await market.runJobs();
  const [during] = receiver.received as [ReceivedMessage];
  expect(during.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const { secret } of [first, second]) expect(() => verified(during, secret)).not.toThrow();
  await pass(HOUR);
  await approve('b');
  await market.runJobs();
  const after = receiver.received[1] as ReceivedMessage;
  expect(() => verified(after, second.secret)).not.toThrow();
  expect(() => verified(after, first.secret)).toThrow('No matching signature found');
});

it('a replay sends all facts from a number on once more, under the same ids', async () => {
  await market.pm.createWebhook({ url: receiver.url });
  await approve('a', 'b', 'c');
  await market.runJobs();
  const ids = receiver.ids();
  receiver.forget();
  expect(await market.pm.replayWebhook({ id: 1, seq: 2 })).toMatchObject({ position: { seq: 1 }, behind: 2 });
  await market.runJobs();
  expect(receiver.ids()).toEqual(ids.slice(1));
  await expect(market.pm.replayWebhook({ id: 1, seq: 5 })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'seq must be at most 4, which is the number of the next fact',
  });
  const late = await market.pm.createWebhook({ url: receiver.url, seq: 3 });
  receiver.forget();
  await market.runJobs();
  expect(receiver.ids()).toEqual(ids.slice(2));
  expect(late).toMatchObject({ position: { seq: 2 }, behind: 1 });
});

it('facts that were removed by age are noted as lost, with an alarm until an operator has seen it', async () => {
  await market.pm.createWebhook({ url: receiver.url });
  receiver.answerWith(status(410));
  await approve('a', 'b', 'c');
  await market.runJobs();
  market.clock.advance(8 * 24 * HOUR);
  await approve('d');
  await market.runJobs();
  await market.runJobs();
  expect(market.pm.alarms()).toMatchObject([
    { reason: 'disabled: the receiver answered HTTP 410; facts 1 to 3 were removed because of their age' },
  ]);
  await expect(market.pm.replayWebhook({ id: 1, seq: 2 })).rejects.toMatchObject({
    code: 'FACTS_REMOVED',
    message: 'Fact 2 was removed because of its age; the oldest one has the number 4',
  });
  receiver.forget();
  receiver.answerWith(status(204));
  await market.pm.enableWebhook({ id: 1 });
  await market.runJobs();
  expect(seqs(receiver)).toEqual([4]);
  const error = 'facts 1 to 3 were removed because of their age before they were delivered';
  expect((await market.pm.listWebhookDeliveries({ id: 1, limit: 2 })).deliveries).toMatchObject([
    { outcome: 'delivered', seq: 4 },
    { outcome: 'lost', seq: 3, attempt: 0, type: null, error },
  ]);
  await market.runJobs();
  expect(market.pm.alarms()).toMatchObject([
    { reason: 'facts 1 to 3 were removed before they were delivered' },
  ]);
  expect(await market.pm.enableWebhook({ id: 1 })).toMatchObject({ lost: null });
  await market.runJobs();
  expect(market.pm.alarms()).toEqual([]);
});

it('a webhook that hangs does not hold up another one', async () => {
  const slow = await startReceiver();
  receivers.push(slow);
  let answerSlow = (): void => undefined;
  slow.answerWith((response) => {
    answerSlow = () => void response.writeHead(204).end();
  });
  await market.pm.createWebhook({ url: slow.url });
  await market.pm.createWebhook({ url: receiver.url });
  await approve('a', 'b', 'c');
  const allFast = new Promise<void>((done) =>
    receiver.answerWith((response) => {
      response.writeHead(204).end();
      if (receiver.received.length === 3) done();
    }),
  );
  const jobs = market.runJobs();
  await allFast;
  expect(slow.received).toHaveLength(1);
  slow.answerWith(status(204));
  answerSlow();
  await jobs;
  expect(seqs(slow)).toEqual([1, 2, 3]);
});

it('messages in a row come on one connection', async () => {
  await market.pm.createWebhook({ url: receiver.url });
  await approve('a', 'b', 'c');
  await market.runJobs();
  expect(new Set(receiver.received.map(({ port }) => port)).size).toBe(1);
});

it('a removed webhook gets nothing more, and its secret stands nowhere', async () => {
  const { secret } = await market.pm.createWebhook({ url: receiver.url });
  await approve('a');
  await market.runJobs();
  const shown = [
    await market.pm.listWebhooks(),
    await market.pm.listWebhookDeliveries({ id: 1 }),
    await market.pm.enableWebhook({ id: 1 }),
    await market.pm.replayWebhook({ id: 1, seq: 1 }),
  ];
  expect(JSON.stringify(shown)).not.toContain(secret.slice('whsec_'.length));
  expect(await market.pm.removeWebhook({ id: 1 })).toEqual({ id: 1, removed: true });
  receiver.forget();
  await approve('b');
  await market.runJobs();
  expect(receiver.ids()).toEqual([]);
  await expect(market.pm.listWebhookDeliveries({ id: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(market.pm.removeWebhook({ id: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
