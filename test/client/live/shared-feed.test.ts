import type { ChannelBeginning } from '../../../src/client/live/channel-work';
import type { LiveEvent } from '../../../src/client/live/live-messages';
import type { Refusal } from '../../../src/client/live/server-messages';
import { createSharedFeed, type Follower } from '../../../src/client/live/shared-feed';
import { manualTimers } from '../../jobs/manual-timers';
import { fakeSockets } from './fake-sockets';
import { event, subscribed, welcome } from './support';

const FIRST_WAIT_MS = 750;
const ASK_AFTER_MS = 10_000;
const ANSWER_MS = 5_000;
const REPEAT_MS = 3_000;

class Noting implements Follower {
  readonly told: string[] = [];
  begin({ seq }: ChannelBeginning): void {
    this.told.push(`begin ${seq}`);
  }
  event({ seq }: LiveEvent): void {
    this.told.push(`event ${seq}`);
  }
  lost(): void {
    this.told.push('lost');
  }
  refused({ code }: Refusal): void {
    this.told.push(code);
  }
}

function sharedFeed(key: string | null = null) {
  const timers = manualTimers();
  const { sockets, socketClass, last } = fakeSockets();
  const changes = new Set<() => void>();
  let present = key;
  const feed = createSharedFeed({
    apiUrl: 'https://market.example/api/v2',
    fetch: () => Promise.reject(new Error('no stream')),
    socketClass,
    timers,
    random: () => 0.5,
    ask: () => Promise.reject(new Error('no answer')),
    key: {
      get: () => present,
      onChange(listener) {
        changes.add(listener);
        return () => changes.delete(listener);
      },
    },
  });
  const useKey = (next: string | null): void => {
    present = next;
    for (const listener of changes) listener();
  };
  return { feed, timers, sockets, last, useKey };
}

it('a shared feed has one connection, on which channels begin and end', () => {
  const { feed, sockets, last, timers } = sharedFeed();
  const one = new Noting();
  const two = new Noting();
  expect(sockets).toEqual([]);
  const leaveOne = feed.follow('market:1', one);
  last().say(welcome(5));
  last().say(subscribed(1, ['market:1'], 5));
  const leaveTwo = feed.follow('market:2', two);
  expect(last().sent.at(-1)).toEqual({ op: 'subscribe', id: 2, channels: ['market:2'] });
  last().say(subscribed(2, ['market:2'], 6));
  last().say(event('market:1', 7, 3));
  leaveOne();
  expect(last().sent.at(-1)).toEqual({ op: 'unsubscribe', id: 3, channels: ['market:1'] });
  last().say(event('market:1', 8, 7));
  expect([one.told, two.told]).toEqual([['begin 5', 'event 7'], ['begin 6']]);
  expect(sockets).toHaveLength(1);
  leaveTwo();
  expect(last().isOpen).toBe(false);
  expect(timers.delays()).toEqual([]);
});

it('a shared feed tells each channel that it is lost, and begins it anew on the next connection', async () => {
  const { feed, last, timers } = sharedFeed();
  const one = new Noting();
  feed.follow('market:1', one);
  last().say(welcome(5));
  last().say(subscribed(1, ['market:1'], 5));
  last().end();
  expect(one.told).toEqual(['begin 5', 'lost']);
  await timers.fire(FIRST_WAIT_MS);
  last().say(welcome(5));
  expect(last().sent).toEqual([{ op: 'subscribe', id: 1, channels: ['market:1'] }]);
  last().say(subscribed(1, ['market:1'], 5));
  expect(one.told).toEqual(['begin 5', 'lost', 'begin 5']);
});

it('a shared feed gives up a socket that does not answer after a silence, and keeps one that does', async () => {
  const { feed, last, timers } = sharedFeed();
  const one = new Noting();
  feed.follow('market:1', one);
  last().say(welcome(5));
  last().say(subscribed(1, ['market:1'], 5));
  await timers.fire(ASK_AFTER_MS);
  expect(last().sent.at(-1)).toEqual({ op: 'ping' });
  last().say({ type: 'pong' });
  await timers.fire(ASK_AFTER_MS);
  expect(one.told).toEqual(['begin 5']);
  await timers.fire(ANSWER_MS);
  expect(one.told).toEqual(['begin 5', 'lost']);
});

it('a shared feed tells a refused channel alone, and follows the key of the client', () => {
  const { feed, last, sockets, useKey } = sharedFeed('pmk_1');
  const unknown = new Noting();
  const account = new Noting();
  feed.follow('market:99', unknown);
  feed.follow('account', account);
  last().say(welcome(5));
  last().say({ type: 'error', id: 1, code: 'MARKET_NOT_FOUND', message: 'No such market.' });
  expect(last().sent.at(-1)).toEqual({ op: 'auth', id: 2, apiKey: 'pmk_1' });
  last().say({ type: 'authenticated', id: 2, address: '0x', scopes: [] });
  last().say(subscribed(3, ['account'], 5));
  expect([unknown.told, account.told]).toEqual([['MARKET_NOT_FOUND'], ['begin 5']]);
  useKey('pmk_2');
  expect(account.told).toEqual(['begin 5', 'lost']);
  expect(sockets).toHaveLength(2);
  last().say(welcome(6));
  expect(last().sent.at(-1)).toMatchObject({ op: 'auth', apiKey: 'pmk_2' });
});

describe('a channel that was left', () => {
  function twoChannels() {
    const shared = sharedFeed();
    const one = new Noting();
    const leave = shared.feed.follow('market:1', one);
    shared.feed.follow('market:2', new Noting());
    shared.last().say(welcome(5));
    return { ...shared, one, leave };
  }
  const limited = { type: 'error', code: 'RATE_LIMIT_EXCEEDED' };

  it('is not subscribed again after a refusal, and an earlier beginning does not show it', async () => {
    const { feed, last, timers, one, leave } = twoChannels();
    last().say({ ...limited, id: 1 });
    leave();
    const sent = last().sent.length;
    await timers.fire(REPEAT_MS);
    expect(last().sent.slice(sent)).toEqual([]);
    feed.follow('market:1', one);
    expect(last().sent.slice(sent)).toEqual([{ op: 'subscribe', id: 4, channels: ['market:1'] }]);
    expect(one.told).toEqual([]);
  });

  it('does not begin with an answer to an earlier follower', () => {
    const { feed, last, one, leave } = twoChannels();
    leave();
    last().say(subscribed(1, ['market:1'], 5));
    feed.follow('market:1', one);
    expect(one.told).toEqual([]);
    last().say(subscribed(4, ['market:1'], 9));
    expect(one.told).toEqual(['begin 9']);
  });

  it('is followed again before the answers have come, and begins once, with its own answer', () => {
    const { feed, last, one, leave } = twoChannels();
    leave();
    feed.follow('market:1', one);
    last().say(subscribed(1, ['market:1'], 5));
    last().say({ type: 'unsubscribed', id: 3, channels: ['market:1'] });
    expect(one.told).toEqual([]);
    last().say(subscribed(4, ['market:1'], 9));
    expect(one.told).toEqual(['begin 9']);
  });

  it('is left again after a refusal, except when it is followed again by then', async () => {
    const { feed, last, timers, one, leave } = twoChannels();
    last().say(subscribed(1, ['market:1'], 5));
    leave();
    last().say({ ...limited, id: 3 });
    await timers.fire(REPEAT_MS);
    expect(last().sent.at(-1)).toEqual({ op: 'unsubscribe', id: 4, channels: ['market:1'] });
    last().say({ ...limited, id: 4 });
    feed.follow('market:1', one);
    const sent = last().sent.length;
    await timers.fire(REPEAT_MS);
    expect(last().sent.slice(sent)).toEqual([]);
  });
});
