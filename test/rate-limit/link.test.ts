import type { RedisConnection } from '../../adapters/rate-limit/redis/connection';
import { createLink, type RedisLink } from '../../adapters/rate-limit/redis/link';
import { manualTimers, quiet, type ManualTimers } from '../jobs/manual-timers';
import { AWAY, noting, UP } from './support';
import { createGate } from '../support/gate';

interface FakeServer {
  isReachable: boolean;
  isSilent: boolean;
  refusal: Error | null;
  commands: number;
  opened: number;
  open: Set<() => void>;
}

const timings = { commandTimeoutMs: 150, connectTimeoutMs: 1_000, probeIntervalMs: 500 };

let server: FakeServer;
let timers: ManualTimers;
let log: string[];
let link: RedisLink;

function connect(lost: (reason: Error) => void): RedisConnection {
  server.opened += 1;
  const hanging = new Set<(reason: Error) => void>();
  const drop = (): void => lost(new Error('dropped'));
  server.open.add(drop);
  const hang = (): Promise<never> => new Promise((_resolve, reject) => hanging.add(reject));
  return {
    ready: server.isReachable ? Promise.resolve() : Promise.reject(new Error('refused')),
    send() {
      if (server.isSilent) return hang();
      if (server.refusal !== null) return Promise.reject(server.refusal);
      return Promise.resolve((server.commands += 1));
    },
    close() {
      server.open.delete(drop);
      for (const reject of hanging) reject(new Error('closed'));
    },
  };
}

const ask = (): Promise<unknown> => link.ask((send) => send(['COMMAND']));

beforeEach(() => {
  server = { isReachable: true, isSilent: false, refusal: null, commands: 0, opened: 0, open: new Set() };
  timers = manualTimers();
  log = [];
  link = createLink({ connect, verify: (send) => send(['VERIFY']), timers, timings });
});
afterEach(async () => {
  await link.close();
  expect(server.open.size).toBe(0);
  expect(timers.delays()).toEqual([]);
});

it('the link asks nothing before it is started', async () => {
  expect(await ask()).toBeNull();
  expect(server.opened).toBe(0);
});

it('the link asks once it has been started and the server has shown that it answers', async () => {
  await link.start(noting(log));
  expect(await ask()).toBe(2);
  expect(log).toEqual([UP]);
});

it('the link goes on probing in the background for as long as the server is away, and says so once', async () => {
  server.isReachable = false;
  await link.start(noting(log));
  for (let probe = 2; probe <= 5; probe += 1) {
    expect(timers.delays()).toEqual([500]);
    expect(await ask()).toBeNull();
    await timers.fire();
    expect(server.opened).toBe(probe);
  }
  server.isReachable = true;
  await timers.fire();
  expect(await ask()).toBe(2);
  expect(log).toEqual([AWAY, UP]);
});

it('the link stays away from a server that takes connections and refuses the work', async () => {
  server.refusal = new Error('READONLY');
  await link.start(noting(log));
  await timers.fire();
  expect(await ask()).toBeNull();
  expect(log).toEqual([AWAY]);
});

it('the link gives up a connection that does not come about in time', async () => {
  server.isSilent = true;
  const started = link.start(noting(log));
  await quiet();
  expect(timers.delays()).toEqual([150]);
  await timers.fire();
  await started;
  expect(timers.delays()).toEqual([500]);
  expect(server.open.size).toBe(0);
});

it('the link answers all waiting calls as soon as one command takes too long, and asks no more', async () => {
  await link.start(noting(log));
  server.isSilent = true;
  const waiting = [ask(), ask(), ask()];
  expect(timers.delays().slice(0, 3)).toEqual([150, 150, 150]);
  await timers.fire();
  expect(await Promise.all(waiting)).toEqual([null, null, null]);
  expect(server.open.size).toBe(0);
  expect(await ask()).toBeNull();
  expect(timers.delays()).toEqual([500]);
  expect(log).toEqual([UP, AWAY]);
});

it('the link does not blame the server for a busy turn of its own process', async () => {
  const { opened, open } = createGate<string>();
  timers.yieldTurn = () => {
    open('late');
    return quiet();
  };
  await link.start(noting(log));
  const asked = link.ask(() => opened);
  await timers.fire();
  expect(await asked).toBe('late');
  expect(log).toEqual([UP]);
});

it('the link closes when a command is refused, and when the connection ends', async () => {
  await link.start(noting(log));
  server.refusal = new Error('OOM');
  expect(await ask()).toBeNull();
  server.refusal = null;
  await timers.fire();
  expect(await ask()).toBe(3);
  for (const drop of [...server.open]) drop();
  expect(await ask()).toBeNull();
  expect(log).toEqual([UP, AWAY, UP, AWAY]);
});

it('the link comes back more and more slowly to a server that fails again at once, and fast after a sound while', async () => {
  await link.start(noting(log));
  const dropAndProbe = async (): Promise<number | undefined> => {
    for (const drop of [...server.open]) drop();
    const [delay] = timers.delays();
    await timers.fire();
    return delay;
  };
  expect([await dropAndProbe(), await dropAndProbe(), await dropAndProbe()]).toEqual([500, 1_000, 2_000]);
  for (let round = 0; round < 5; round += 1) await dropAndProbe();
  expect(await dropAndProbe()).toBe(5_000);
  expect(timers.delays()).toEqual([10_000]);
  await timers.fire();
  expect(await dropAndProbe()).toBe(500);
});

it('the link can be closed while it connects, while it waits, and twice, and stays closed', async () => {
  server.isSilent = true;
  const started = link.start(noting(log));
  await quiet();
  await Promise.all([link.close(), link.close(), started]);
  server.isSilent = false;
  await link.start(noting(log));
  expect(await ask()).toBeNull();
  expect([server.opened, log]).toEqual([1, []]);
});

it('the link answers all waiting calls when it is closed', async () => {
  await link.start(noting(log));
  server.isSilent = true;
  const waiting = ask();
  await link.close();
  expect(await waiting).toBeNull();
  expect(log).toEqual([UP]);
});

it('the figures of the link say whether Redis is reached, and count each loss and each failed probe', async () => {
  server.isReachable = false;
  expect(link.figures()).toEqual({ reachable: false, errors: 0 });
  await link.start(noting(log));
  expect(link.figures()).toEqual({ reachable: false, errors: 1 });
  server.isReachable = true;
  await timers.fire();
  expect(link.figures()).toEqual({ reachable: true, errors: 1 });
  server.refusal = new Error('READONLY');
  await ask();
  expect(link.figures()).toEqual({ reachable: false, errors: 2 });
});
