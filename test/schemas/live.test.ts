import { describe, expect, it } from '@jest/globals';
import { parseClientCommand } from '../../src/schemas/live';

describe('A command over a WebSocket', () => {
  it.each([
    { op: 'subscribe', id: 1, channels: ['markets', 'trades', 'market:12', 'account'] },
    { op: 'subscribe', channels: ['prices'], since: { epoch: 'e', seq: 0 }, conflate: true },
    { op: 'subscribe', id: 'a', channels: ['prices', 'trades'], conflate: false },
    { op: 'unsubscribe', id: 2, channels: ['trades'] },
    { op: 'auth', id: 3, apiKey: 'pmk_x' },
    { op: 'ping' },
  ])('is read: %j', (command) => {
    expect(parseClientCommand(JSON.parse(JSON.stringify(command)))).toEqual(command);
  });

  it.each([
    ['null', 'op'],
    ['[]', 'op'],
    ['"ping"', 'op'],
    ['{}', 'op'],
    ['{"op":"toString"}', 'op'],
    ['{"op":["ping"]}', 'op'],
    ['{"op":"ping","id":1.5}', 'id'],
    ['{"op":"ping","id":{}}', 'id'],
    [`{"op":"ping","id":"${'x'.repeat(65)}"}`, 'id'],
    ['{"op":"ping","more":1}', 'more'],
    ['{"op":"ping","__proto__":1}', '__proto__'],
    ['{"op":"auth"}', 'apiKey'],
    ['{"op":"auth","apiKey":7}', 'apiKey'],
    ['{"op":"subscribe"}', 'channels'],
    ['{"op":"subscribe","channels":[]}', 'channels'],
    ['{"op":"subscribe","channels":"trades"}', 'channels'],
    ['{"op":"subscribe","channels":["nothing"]}', 'channels.0'],
    ['{"op":"subscribe","channels":["trades",null]}', 'channels.1'],
    ['{"op":"subscribe","channels":["market:01"]}', 'channels.0'],
    ['{"op":"subscribe","channels":["market:rain"]}', 'channels.0'],
    ['{"op":"subscribe","channels":["account:0x00000000000000000000000000000000000000a1"]}', 'channels.0'],
    ['{"op":"subscribe","channels":["trades"],"since":17}', 'since'],
    ['{"op":"subscribe","channels":["trades"],"since":{"seq":1}}', 'since.epoch'],
    ['{"op":"subscribe","channels":["trades"],"since":{"epoch":"e","seq":-1}}', 'since.seq'],
    ['{"op":"subscribe","channels":["trades"],"since":{"epoch":"e","seq":1,"x":1}}', 'since.x'],
    ['{"op":"subscribe","channels":["prices","trades"],"conflate":true}', 'conflate'],
    ['{"op":"subscribe","channels":["prices"],"conflate":"true"}', 'conflate'],
  ])('is refused: %s', (text, field) => {
    let refusal: unknown;
    try {
      parseClientCommand(JSON.parse(text));
    } catch (err) {
      refusal = err;
    }
    expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field }] });
  });

  it('is refused with the name of a channel that there is not, unless the name is long', () => {
    const messageFor = (channel: string): string => {
      try {
        parseClientCommand({ op: 'subscribe', channels: ['trades', channel] });
        return 'taken';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(messageFor('market:x')).toContain(
      'There is no channel market:x, only markets, trades, prices, market:<id> and account',
    );
    const long = messageFor('x'.repeat(10_000));
    expect([long.length < 200, long.includes('xxx')]).toEqual([true, false]);
  });
});
