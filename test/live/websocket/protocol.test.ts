import { checksumAddress } from '../../../src/crypto/address';
import { serviceUnavailable } from '../../../src/domain/errors';
import { ALICE } from '../feed/support';
import { createSocketWorld, type Client, type SocketWorld } from './support';

const run = (world: SocketWorld): Promise<void> => world.instance_.run();

describe('a socket', () => {
  let world: SocketWorld;
  beforeAll(async () => {
    world = await createSocketWorld();
  });
  afterAll(() => world.stop());

  it('is welcomed with the position and the time between heartbeats', async () => {
    const client = await world.open();
    const { epoch, seq } = world.instance_.feed.position();
    expect(client.received).toEqual([{ type: 'welcome', epoch, seq, heartbeatSeconds: 20 }]);
    expect(epoch).toBe(await world.epoch());
  });

  it('gets what happens on its channels, each message with its channel, seq and prev', async () => {
    const client = await world.open();
    const subscribed = await client.subscribe(['trades', 'prices', 'market:1']);
    const begin = Number(subscribed['seq']);
    expect(subscribed).toMatchObject({ type: 'subscribed', channels: ['trades', 'prices', 'market:1'] });
    await world.commit(world.trade(1), world.trade(2));
    await run(world);
    await client.settled();
    expect(client.events().map(({ channel, event, seq }) => [channel, event, Number(seq) - begin])).toEqual([
      ['trades', 'trade', 1],
      ['prices', 'price', 1],
      ['market:1', 'trade', 1],
      ['trades', 'trade', 2],
      ['prices', 'price', 2],
    ]);
    expect(client.events()[3]).toMatchObject({
      prev: begin + 1,
      marketSeq: expect.any(Number),
      data: { marketId: 2 },
    });
    expect(String(client.events()[0]?.['ts'])).toMatch(/^2030-01-01T/);
  });

  it('gets the state of markets with the answer, unless since is honoured', async () => {
    const client = await world.open();
    const subscribed = await client.subscribe(['market:1', 'trades', 'market:1']);
    expect(subscribed['channels']).toEqual(['market:1', 'trades']);
    expect(subscribed['snapshot']).toMatchObject({
      seq: subscribed['seq'],
      markets: [{ id: 1, marketSeq: expect.any(Number) }],
    });
    const since = { epoch: await world.epoch(), seq: subscribed['seq'] };
    expect(await client.subscribe(['market:1'], { since })).not.toHaveProperty('snapshot');
    expect(await client.subscribe(['trades'])).not.toHaveProperty('snapshot');
  });

  it('is told what it missed after the answer, then what is new', async () => {
    const begin = await world.head();
    await world.commit(world.trade(1), world.trade(1));
    await run(world);
    const client = await world.open();
    await client.subscribe(['trades'], { since: { epoch: await world.epoch(), seq: begin } });
    await world.commit(world.trade(1));
    await run(world);
    await client.settled();
    expect(client.received.map(({ type }) => type).slice(0, 3)).toEqual(['welcome', 'subscribed', 'event']);
    expect(client.lines()).toEqual([
      `trades ${begin + 1}<null`,
      `trades ${begin + 2}<${begin + 1}`,
      `trades ${begin + 3}<${begin + 2}`,
    ]);
  });

  it('begins anew, with the reason, when since cannot be honoured', async () => {
    const client = await world.open();
    const epoch = await world.epoch();
    const seq = await world.head();
    await client.call({ op: 'subscribe', channels: ['market:2'], since: { epoch: 'old', seq: 1 } });
    await client.call({ op: 'subscribe', channels: ['trades'], since: { epoch, seq: seq + 5 } });
    await client.settled();
    const [, subscribed, resync, , second] = client.received;
    expect(subscribed).toEqual({ type: 'subscribed', id: 1, channels: ['market:2'], seq });
    expect(resync).toMatchObject({
      type: 'resync',
      id: 1,
      channels: ['market:2'],
      reason: 'EPOCH',
      epoch,
      seq,
      snapshot: { seq, markets: [{ id: 2 }] },
    });
    expect(second).toEqual({
      type: 'resync',
      id: 2,
      channels: ['trades'],
      reason: 'SEQ_AHEAD',
      epoch,
      seq,
      snapshot: { seq, markets: [] },
    });
  });

  it('gets nothing of a channel any more once that is unsubscribed', async () => {
    const client = await world.open();
    await client.subscribe(['trades', 'prices']);
    expect(await client.call({ op: 'unsubscribe', channels: ['trades', 'markets'] })).toEqual({
      type: 'unsubscribed',
      id: 2,
      channels: ['trades', 'markets'],
    });
    await world.commit(world.trade(1));
    await run(world);
    await client.settled();
    expect(client.events().map(({ channel }) => channel)).toEqual(['prices']);
  });

  it.each([
    [{ op: 'subscribe', channels: ['trades', 'nonsense'] }, 'VALIDATION_ERROR'],
    [{ op: 'subscribe', channels: [] }, 'VALIDATION_ERROR'],
    [{ op: 'subscribe', channels: ['trades'], since: { epoch: 'x' } }, 'VALIDATION_ERROR'],
    [{ op: 'subscribe', channels: ['trades'], conflate: true }, 'VALIDATION_ERROR'],
    [{ op: 'subscribe', channels: ['trades', 'market:99'] }, 'MARKET_NOT_FOUND'],
    [{ op: 'subscribe', channels: ['trades', 'account'] }, 'UNAUTHORIZED'],
    [{ op: 'fly' }, 'VALIDATION_ERROR'],
    [{ op: 'auth', apiKey: 'pmk_wrong' }, 'UNAUTHORIZED'],
  ])('refuses %j with %s and goes on', async (command, code) => {
    const client = await world.open();
    expect(await client.call(command)).toEqual({ type: 'error', id: 1, code, message: expect.any(String) });
    await world.commit(world.trade(1));
    await run(world);
    await client.settled();
    expect(client.events()).toEqual([]);
  });

  it('is told of a text that is no command', async () => {
    const client = await world.open();
    for (const text of ['{', '[]', '"ping"', 'null', '7']) client.ws.send(text);
    await client.settled();
    const errors = client.received.filter(({ type }) => type === 'error');
    expect(errors.map(({ id, code }) => [id, code])).toEqual(Array(5).fill([null, 'VALIDATION_ERROR']));
  });

  it('gets no id back that breaks the rule of ids', async () => {
    const client = await world.open();
    for (const id of ['y'.repeat(60_000), 1.5, { a: 1 }, 'mine'])
      client.ws.send(JSON.stringify({ op: 'x', id }));
    await client.settled();
    const errors = client.received.filter(({ type }) => type === 'error');
    expect(errors.map(({ id }) => id)).toEqual([null, null, null, 'mine']);
  });

  it('is told an outage as it is for an API caller, without the message of a driver', async () => {
    const spy = jest.spyOn(world.storage, 'snapshot').mockRejectedValue(new Error('secret of the driver'));
    const client = await world.open();
    expect(await client.subscribe(['market:1'])).toMatchObject({ code: 'INTERNAL_ERROR' });
    spy.mockRejectedValue(serviceUnavailable('secret of the driver'));
    expect(await client.subscribe(['market:1'])).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(JSON.stringify(client.received)).not.toContain('secret');
    spy.mockRestore();
  });

  it('answers a ping with a pong, with and without an id', async () => {
    const client = await world.open();
    client.ws.send('{"op":"ping"}');
    await client.settled();
    expect(client.received.slice(1)).toEqual([{ type: 'pong' }, { type: 'pong', id: 1 }]);
  });

  it('begins a channel anew that it subscribes a second time', async () => {
    const client = await world.open();
    await client.subscribe(['trades']);
    const again = await client.subscribe(['trades']);
    await world.commit(world.trade(1));
    await run(world);
    await client.settled();
    expect(client.events().map(({ seq }) => seq)).toEqual([Number(again['seq']) + 1]);
  });

  it('gets large answers and many messages whole', async () => {
    const client = await world.open();
    const begin = await world.head();
    await world.commit(...Array.from({ length: 900 }, () => world.trade(1)));
    await run(world);
    await client.subscribe(['trades', 'market:1'], { since: { epoch: await world.epoch(), seq: begin } });
    await client.settled();
    while (client.events().length < 1_800) await client.settled();
    expect(client.events().map(({ seq }) => seq)).toEqual(
      Array.from({ length: 1_800 }, (_, index) => begin + 1 + Math.floor(index / 2)),
    );
  });
});

it.each([{}, { perMessageDeflate: true }])(
  'a socket that conflates prices gets prev on every other channel (%j)',
  async (options) => {
    const world = await createSocketWorld({ options });
    const client = await world.open();
    expect(client.ws.extensions).toBe(options.perMessageDeflate === true ? 'permessage-deflate' : '');
    await client.subscribe(['trades', 'market:1']);
    await client.subscribe(['prices'], { conflate: true });
    await world.commit(world.trade(1), world.trade(1));
    await run(world);
    await client.settled();
    const seq = await world.head();
    expect(client.lines().slice(-3)).toEqual([
      `trades ${seq}<${seq - 1}`,
      `prices ${seq}<undefined`,
      `market:1 ${seq}<${seq - 1}`,
    ]);
    await world.stop();
  },
);

describe('the account on a socket', () => {
  let world: SocketWorld;
  beforeAll(async () => {
    world = await createSocketWorld();
  });
  afterAll(() => world.stop());

  const address = checksumAddress(ALICE);

  async function withAccount(): Promise<{ client: Client; id: number; apiKey: string }> {
    const { id, apiKey } = await world.key();
    const client = await world.open({ headers: { 'X-API-Key': apiKey } });
    await client.subscribe(['account']);
    return { client, id, apiKey };
  }

  it('opens by a command, and then has to be subscribed like any channel', async () => {
    const { apiKey } = await world.key(['account:read']);
    const client = await world.open();
    expect(await client.call({ op: 'auth', apiKey })).toEqual({
      type: 'authenticated',
      id: 1,
      address,
      scopes: ['account:read'],
    });
    await world.commit(world.balance());
    await run(world);
    const subscribed = await client.subscribe(['account']);
    expect(subscribed).toMatchObject({
      channels: ['account'],
      snapshot: { markets: [], account: { balance: 0, reserved: 0, available: 0 } },
    });
    await world.commit(world.trade(1));
    await run(world);
    await client.settled();
    expect(client.events()).toMatchObject([
      { channel: 'account', event: 'account.trade', data: { address } },
    ]);
  });

  it('opens by the header of the upgrade', async () => {
    const { client } = await withAccount();
    expect(client.received[1]).toMatchObject({ type: 'authenticated', id: null, address });
    expect(client.received[2]).toMatchObject({ type: 'subscribed', channels: ['account'] });
  });

  it('needs the scope', async () => {
    const { apiKey } = await world.key(['trades:create']);
    const client = await world.open({ headers: { 'X-API-Key': apiKey } });
    expect(await client.subscribe(['account'])).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  it('takes the same key again, and no other', async () => {
    const { client, apiKey } = await withAccount();
    const other = await world.key();
    expect(await client.call({ op: 'auth', apiKey })).toMatchObject({ type: 'authenticated' });
    expect(await client.call({ op: 'auth', apiKey: other.apiKey })).toMatchObject({
      code: 'ALREADY_AUTHENTICATED',
    });
  });

  it('has the scopes that the key had when it was last sent', async () => {
    const { id, apiKey } = await world.key(['trades:create']);
    const client = await world.open({ headers: { 'X-API-Key': apiKey } });
    await world.storage.transaction((tx) => tx.apiKeys.update(id, { scopes: ['account:read'] }));
    expect(await client.call({ op: 'auth', apiKey })).toMatchObject({ scopes: ['account:read'] });
    expect(await client.subscribe(['account'])).toMatchObject({ type: 'subscribed' });
  });

  it('ends with 4401 when the key is revoked elsewhere, and tells nothing after that', async () => {
    const { client, id } = await withAccount();
    await world.storage.transaction((tx) => tx.apiKeys.revoke(id, ALICE, 1));
    await world.commit(world.trade(1));
    await run(world);
    expect(await client.end()).toMatchObject({ code: 4401 });
    expect(client.events()).toEqual([]);
  });

  it('is unsubscribed when the key loses the scope', async () => {
    const { client, id } = await withAccount();
    await world.storage.transaction((tx) => tx.apiKeys.update(id, { scopes: ['markets:read'] }));
    await world.commit(world.trade(1));
    await run(world);
    await client.settled();
    expect(client.events()).toEqual([]);
    expect(client.received.at(-2)).toEqual({ type: 'unsubscribed', id: null, channels: ['account'] });
  });
});
