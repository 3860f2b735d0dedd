import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';

export const ABUSES = {
  'paused readers': '50 sockets with trades, prices and 20 markets that read nothing',
  'oversized frames': '20 sockets a second that send 1 MB',
  rubbish: '20 sockets a second: binary, no frames, no UTF-8, 20,000 fragments',
  '10,000 subscriptions': 'one socket, again as soon as it is closed',
  'no answer to pings': '100 sockets a second',
  'half-open upgrades': '1,000 sockets whose request does not end',
  '1,000 catch-ups': 'one socket, a market and all its facts each',
  '1,000 states': 'one socket that asks for 1,000 markets, again and again',
} as const;

export type AbuseName = keyof typeof ABUSES;

export interface Target {
  port: number;
  markets: number[];
  epoch: string;
}

const MEGABYTE = 1_048_576;
const PAUSED = 50;
const PAUSED_MARKETS = 20;
const SHORT_A_SECOND = 20;
const SUBSCRIPTIONS = 10_000;
const SILENT_A_SECOND = 100;
const HALF_OPEN = 1_000;
const FRAGMENTS = 20_000;
/**
 * The bad clients have an address of their own, because they would otherwise use up the connections of the good
 * clients.
 */
const ADDRESS = '127.0.2.1';

const rubbish = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 251));
/** Fragments of one byte with a mask of zeros: the first fragment, and those that continue it. */
const fragments = Buffer.concat([
  Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x20]),
  ...Array.from({ length: FRAGMENTS }, () => Buffer.from([0x00, 0x81, 0, 0, 0, 0, 0x20])),
]);
const notUtf8 = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]);

let opened = 0;
let isOver = true;
const ends = new Set<() => void>();

type Options = { autoPong?: boolean; target: Target };

function open({ target, autoPong = true }: Options, begin: (socket: WebSocket) => void): WebSocket {
  opened += 1;
  const options = { autoPong, localAddress: ADDRESS };
  const socket = new WebSocket(`ws://127.0.0.1:${target.port}/api/v2/ws`, options);
  const end = (): void => socket.terminate();
  ends.add(end);
  socket.on('error', () => undefined);
  socket.on('close', () => ends.delete(end));
  socket.on('open', () => begin(socket));
  return socket;
}

const rawOf = (socket: WebSocket): Socket => (socket as unknown as { _socket: Socket })._socket;
const subscribe = (channels: string[], rest: object = {}): string =>
  JSON.stringify({ op: 'subscribe', channels, ...rest });
const channelOf = (market: number): string => `market:${market}`;

/** Opens a socket, and opens it again after each close while the abuse goes on. */
function reopening(again: () => WebSocket): void {
  again().on('close', () => {
    if (!isOver) setImmediate(() => reopening(again));
  });
}

function everySecond(count: number, act: (index: number) => void): void {
  let index = 0;
  const timer = setInterval(() => act((index += 1)), 1_000 / count);
  ends.add(() => clearInterval(timer));
}

const BEGIN: Record<AbuseName, (target: Target) => void> = {
  'paused readers'(target) {
    const channels = ['trades', 'prices', ...target.markets.slice(0, PAUSED_MARKETS).map(channelOf)];
    everySecond(PAUSED, (index) => {
      if (index > PAUSED) return;
      open({ target }, (socket) => {
        socket.send(subscribe(channels));
        socket.pause();
      });
    });
  },
  'oversized frames'(target) {
    const text = 'x'.repeat(MEGABYTE);
    everySecond(SHORT_A_SECOND, () => open({ target }, (socket) => socket.send(text)));
  },
  rubbish(target) {
    everySecond(SHORT_A_SECOND, (index) =>
      open({ target }, (socket) => {
        if (index % 4 === 0) socket.send(rubbish);
        else rawOf(socket).write([fragments, notUtf8, rubbish][(index % 4) - 1] ?? rubbish);
      }),
    );
  },
  '10,000 subscriptions'(target) {
    reopening(() =>
      open({ target }, (socket) => {
        for (let index = 0; index < SUBSCRIPTIONS; index += 1)
          socket.send(subscribe(['trades', channelOf(target.markets[index % target.markets.length] ?? 0)]));
      }),
    );
  },
  'no answer to pings'(target) {
    everySecond(SILENT_A_SECOND, () => open({ target, autoPong: false }, () => undefined));
  },
  'half-open upgrades'({ port }) {
    const half = 'GET /api/v2/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
    for (let index = 0; index < HALF_OPEN; index += 1) {
      opened += 1;
      const socket = connect({ port, host: '127.0.0.1', localAddress: ADDRESS });
      socket.on('error', () => undefined);
      socket.write(half);
      ends.add(() => socket.destroy());
    }
  },
  '1,000 catch-ups'(target) {
    const since = { epoch: target.epoch, seq: 0 };
    open({ target }, (socket) => {
      for (const market of target.markets) socket.send(subscribe([channelOf(market)], { since }));
    });
  },
  '1,000 states'(target) {
    const command = subscribe(target.markets.map(channelOf));
    open({ target }, (socket) => {
      socket.send(command);
      socket.on('message', (data) => {
        if ((data as Buffer).toString('latin1', 0, 24).includes('subscribed')) socket.send(command);
      });
    });
  },
};

export function beginAbuse(name: AbuseName, target: Target): void {
  isOver = false;
  opened = 0;
  BEGIN[name](target);
}

export function endAbuse(): number {
  isOver = true;
  for (const end of [...ends]) end();
  ends.clear();
  return opened;
}
