import { createPoster, type Poster } from '../../../src/outbound/post';
import { attemptDelivery, type Attempt } from '../../../src/live/webhooks/attempt';
import { sampleWebhook } from '../../../testing/storage-conformance/webhook-samples';
import { testClock } from '../../../testing/test-clock';
import { manualTimers, quiet } from '../../jobs/manual-timers';
import { startReceiver, status, type Receiver } from './receiver';

let receiver: Receiver;
let poster: Poster;
beforeEach(async () => {
  receiver = await startReceiver();
  poster = createPoster({ allowPrivate: true, longestAnswerBytes: 16_384 });
});
afterEach(async () => {
  poster.close();
  await receiver.close();
});

const timers = manualTimers();
function attempt(signal = new AbortController().signal): Promise<Attempt | null> {
  const webhook = { ...sampleWebhook({ url: receiver.url }), id: 1 };
  const message = { event: 'trade', body: '{}' } as const;
  return attemptDelivery({ poster, clock: testClock(), timers }, webhook, 'epoch:6', message, signal);
}
const arrived = async (): Promise<void> => {
  while (receiver.received.length === 0) await quiet();
};

it('a receiver that does not answer is given up after 15 seconds', async () => {
  receiver.answerWith(() => undefined);
  const late = attempt();
  await arrived();
  await timers.fire(15_000);
  expect(await late).toMatchObject({
    record: { responseStatus: null, responseBody: null, error: 'no answer within 15 s' },
    failure: { reason: 'no answer within 15 s', isGone: false },
  });
});

it('a receiver that answers and does not end its answer has taken the message', async () => {
  const written = new Promise<void>((done) =>
    receiver.answerWith((response) => void response.writeHead(200).write('part', () => done())),
  );
  const answered = attempt();
  await written;
  // The bytes have arrived, and the sender reads them in the next turns of the event loop.
  for (let turn = 0; turn < 5; turn += 1) await quiet();
  await timers.fire(15_000);
  expect(await answered).toMatchObject({
    record: { responseStatus: 200, responseBody: 'part', error: null },
    failure: null,
  });
});

it('an attempt that is called off says nothing', async () => {
  receiver.answerWith(() => undefined);
  const ending = new AbortController();
  const calledOff = attempt(ending.signal);
  await arrived();
  ending.abort();
  expect(await calledOff).toBeNull();
  expect(timers.delays()).toEqual([]);
});

it('the beginning of an answer is noted, and how long the receiver asks to be left alone', async () => {
  receiver.answerWith(status(429, { 'Retry-After': '120' }, 'x'.repeat(2_000)));
  expect(await attempt()).toMatchObject({
    record: {
      responseStatus: 429,
      responseBody: `${'x'.repeat(500)}…`,
      error: 'the receiver answered HTTP 429',
    },
    failure: { retryAfterMs: 120_000 },
  });
  receiver.answerWith(status(503, { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' }));
  expect(await attempt()).toMatchObject({ failure: { retryAfterMs: null } });
});

it('a receiver that is not there is a failure that names no address', async () => {
  await receiver.close();
  const { failure } = (await attempt()) ?? {};
  expect(failure?.reason).toBe('the receiver could not be reached (ECONNREFUSED)');
  receiver = await startReceiver();
});
