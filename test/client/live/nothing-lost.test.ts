import fc from 'fast-check';
import {
  accept,
  event,
  feedOf,
  sinceOf,
  subscribed,
  welcome,
  type Bench,
  type FakeConnection,
} from './support';

const CHANNELS = ['market:7', 'markets'];

type Step =
  | { does: 'fact'; on: string[] }
  | { does: 'deliver' }
  | { does: 'repeat' }
  | { does: 'lose' }
  | { does: 'break' }
  | { does: 'noSocket' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('fact' as const), on: fc.subarray(CHANNELS) }) },
  { weight: 6, arbitrary: fc.constant({ does: 'deliver' as const }) },
  ...(['repeat', 'lose', 'break', 'noSocket'] as const).map((does) => ({
    weight: 1,
    arbitrary: fc.constant({ does }),
  })),
);

interface Queued {
  channel: string;
  seq: number;
  prev: number | null;
  /** Whether this message is the last one of its fact. A stream reports a position only after such a message. */
  completes: boolean;
}

class ModelServer {
  readonly log: { seq: number; on: string[] }[] = [];
  head = 0;
  queue: Queued[] = [];
  private served: FakeConnection | null = null;

  constructor(private readonly bench: Bench) {}

  add(on: string[]): void {
    this.head += 1;
    this.log.push({ seq: this.head, on });
    this.enqueue(this.head, on, CHANNELS);
  }

  private enqueue(seq: number, on: readonly string[], wanted: readonly string[]): void {
    const channels = on.filter((channel) => wanted.includes(channel));
    for (const channel of channels) {
      const before = this.log.filter((fact) => fact.seq < seq && fact.on.includes(channel)).at(-1);
      this.queue.push({ channel, seq, prev: before?.seq ?? null, completes: channel === channels.at(-1) });
    }
  }

  async serve(): Promise<void> {
    const { bench } = this;
    for (let turn = 0; turn < 50 && !bench.last().isOpen; turn += 1) await bench.timers.fire();
    const connection = bench.last();
    if (connection === this.served) return;
    this.served = connection;
    this.queue = [];
    if (connection.kind === 'stream') {
      const since = connection.request?.since ?? null;
      accept(connection, this.head);
      if (since !== null) this.missed(since.seq, CHANNELS);
      return;
    }
    connection.wire.message(welcome(this.head));
    for (const command of [...connection.sent]) {
      const { id, channels } = command as { id: number; channels: string[] };
      connection.wire.message(subscribed(id, channels, this.head));
      const since = sinceOf(command);
      if (since !== null) this.missed(since.seq, channels);
    }
    this.queue.sort((left, right) => left.seq - right.seq);
  }

  private missed(after: number, channels: readonly string[]): void {
    for (const { seq, on } of this.log) if (seq > after) this.enqueue(seq, on, channels);
  }

  deliver(keep = false): void {
    const next = this.queue[0];
    if (next === undefined) return;
    if (!keep) this.queue.shift();
    const { wire, kind } = this.bench.last();
    wire.message(event(next.channel, next.seq, next.prev));
    if (kind === 'stream' && next.completes) wire.reached({ epoch: 'e1', seq: next.seq });
  }
}

async function play(steps: readonly Step[]): Promise<{ bench: Bench; server: ModelServer }> {
  const bench = feedOf(CHANNELS);
  const server = new ModelServer(bench);
  bench.feed.start();
  await server.serve();
  for (const { does, ...rest } of steps) {
    if (does === 'fact' && 'on' in rest) server.add(rest.on);
    if (does === 'deliver') server.deliver();
    if (does === 'repeat') server.deliver(true);
    if (does === 'lose') server.queue.shift();
    if (does === 'break' || does === 'noSocket') bench.last().wire.closed('other');
    if (does === 'noSocket') {
      for (let turn = 0; turn < 50 && !bench.last().isOpen; turn += 1) await bench.timers.fire();
      bench.last().wire.closed('other');
    }
    await server.serve();
  }
  // A message on both channels shows the client whether earlier messages were lost.
  server.add(CHANNELS);
  for (let turn = 0; turn < 500; turn += 1) {
    await server.serve();
    if (server.queue.length === 0) break;
    server.deliver();
  }
  return { bench, server };
}

async function checkShown(steps: readonly Step[]): Promise<void> {
  const { bench, server } = await play(steps);
  for (const channel of CHANNELS) {
    let known = 0;
    for (const text of bench.told) {
      const read = /^read (.*) at (\d+)$/.exec(text);
      if (read?.[1]?.split(' ').includes(channel)) {
        expect(Number(read[2])).toBeGreaterThanOrEqual(known);
        known = Number(read[2]);
      } else if (text.startsWith(`${channel} `)) {
        const seq = Number(text.split(' ')[1]);
        const next = server.log.find((fact) => fact.seq > known && fact.on.includes(channel));
        expect(seq).toBe(next?.seq);
        known = seq;
      }
    }
    expect(known).toBe(server.head);
  }
}

it('each channel shows its messages once and in order, or its data are read again', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), checkShown), { numRuns: 200 });
});

it('a message is shown although a stream passed over it, told of a later fact and broke', async () => {
  await checkShown([
    { does: 'noSocket' },
    { does: 'fact', on: ['market:7'] },
    { does: 'lose' },
    { does: 'fact', on: ['markets'] },
    { does: 'deliver' },
    { does: 'noSocket' },
  ]);
});
