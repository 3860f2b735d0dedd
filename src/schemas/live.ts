/** The schemas of the commands that clients send over a WebSocket. */
import Joi from 'joi';
import { validationError } from '../domain/errors';
import { MARKET_CHANNELS } from '../events/channel-keys';
import {
  LONGEST_COMMAND_ID,
  type AuthCommand,
  type ClientCommand,
  type CommandId,
  type PingCommand,
  type SubscribeCommand,
  type UnsubscribeCommand,
} from '../events/protocol';
import { toCommand } from './common';
import { parseInput } from './parse';
import type { Rules } from './rules';

type Op = ClientCommand['op'];

const LONGEST_EPOCH = 128;
/** The most characters of a channel's name. A refusal repeats the name only if it is not longer than this. */
const LONGEST_CHANNEL = 64;
/** The most characters that a command may give as a key. Every valid key is shorter. */
const LONGEST_KEY = 256;

const op = <Value extends Op>(value: Value): Joi.StringSchema<Value> =>
  Joi.string<Value>().valid(value).required();

const id = (): Joi.AlternativesSchema =>
  Joi.alternatives(Joi.number().integer(), Joi.string().max(LONGEST_COMMAND_ID)).description(
    'A number or a short text; the answer repeats it',
  );

/** Whether an answer may repeat this as the `id` of its command. */
export function isCommandId(value: unknown): value is CommandId {
  return value !== undefined && id().validate(value, { convert: false }).error === undefined;
}

const CHANNEL_NAME = new RegExp(`^(?:markets|trades|prices|account|${MARKET_CHANNELS})$`);

const channels = (): Joi.ArraySchema =>
  Joi.array()
    .items(Joi.string().max(LONGEST_CHANNEL).pattern(CHANNEL_NAME, 'channel'))
    .min(1)
    .required()
    .description('markets, trades, prices, market:<id> or account')
    .messages({
      'string.max': 'There is no channel with so long a name',
      'string.pattern.name':
        'There is no channel {#value}, only markets, trades, prices, market:<id> and account',
    });

const pricesOnly = toCommand<SubscribeCommand>(
  (command) => command,
  ({ conflate, channels: names }) =>
    conflate === true && names.some((name) => name !== 'prices')
      ? [
          {
            field: 'conflate',
            message: 'Only prices may be left out: conflate goes with the channel prices alone',
          },
        ]
      : [],
);

export const clientCommands = {
  subscribe: Joi.object<SubscribeCommand>({
    op: op('subscribe'),
    id: id(),
    channels: channels(),
    since: Joi.object<SubscribeCommand['since'], true>({
      epoch: Joi.string().max(LONGEST_EPOCH).required(),
      seq: Joi.number()
        .integer()
        .min(0)
        .required()
        .description('The number of the newest fact that the client has'),
    })
      .unknown(false)
      .description('The messages of facts after this position come first'),
    conflate: Joi.boolean().description(
      'For prices alone: a reader that is behind gets the last price of each market',
    ),
  } satisfies Rules<SubscribeCommand>).custom(pricesOnly),
  unsubscribe: Joi.object<UnsubscribeCommand>({
    op: op('unsubscribe'),
    id: id(),
    channels: channels(),
  } satisfies Rules<UnsubscribeCommand>),
  auth: Joi.object<AuthCommand>({
    op: op('auth'),
    id: id(),
    apiKey: Joi.string().max(LONGEST_KEY).required(),
  } satisfies Rules<AuthCommand>),
  ping: Joi.object<PingCommand>({ op: op('ping'), id: id() } satisfies Rules<PingCommand>),
};

/** Throws VALIDATION_ERROR. */
export function parseClientCommand(raw: unknown): ClientCommand {
  const { op: name } = (raw ?? {}) as { op?: unknown };
  if (typeof name === 'string' && Object.hasOwn(clientCommands, name))
    return parseInput<ClientCommand>(clientCommands[name as Op] as Joi.Schema<ClientCommand>, raw);
  throw validationError([
    { field: 'op', message: `op must be one of ${Object.keys(clientCommands).join(', ')}` },
  ]);
}
