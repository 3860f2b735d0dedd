/** The schemas of the messages from the service that are not about a fact. */
import Joi from 'joi';
import { ERROR_TABLE } from '../domain/errors';
import { address, count, instant, oneOf, scopes, text } from '../views/fields.schema';
import { marketDetailFields } from '../views/market.schema';
import { figures } from './message.schema';
import {
  LONGEST_COMMAND_ID,
  RESYNC_REASONS,
  type AuthenticatedMessage,
  type ControlMessage,
  type ErrorMessage,
  type HeartbeatMessage,
  type MarketSnapshot,
  type PongMessage,
  type ResyncMessage,
  type Snapshot,
  type SubscribedMessage,
  type UnsubscribedMessage,
  type WelcomeMessage,
} from './protocol';

const numberId = Joi.number().integer();
const textId = Joi.string().max(LONGEST_COMMAND_ID);
const commandId = (): Joi.AlternativesSchema =>
  Joi.alternatives(numberId, textId).description('The `id` of the command');
const answered = (): Joi.AlternativesSchema =>
  Joi.alternatives(numberId, textId, Joi.valid(null))
    .required()
    .description('The `id` of the command; null if this answers no command, or one without an id');
const channels = (): Joi.ArraySchema =>
  Joi.array()
    .items(Joi.string())
    .required()
    .description('The names of the channels as the client spells them');
const epoch = (): Joi.StringSchema =>
  text().description('Names the sequence of `seq`. It changes when the storage is created anew, or restored');

export const marketSnapshot = Joi.object<MarketSnapshot, true>({
  ...marketDetailFields,
  marketSeq: count('The number of the newest fact of the market that this state contains'),
});

export const snapshot = Joi.object<Snapshot, true>({
  seq: count('Facts with a higher seq come as messages after this state'),
  markets: Joi.array().items(marketSnapshot).required().description('One for each channel market:<id>'),
  account: figures.optional(),
});

export const controlMessages: {
  readonly [Type in ControlMessage['type']]: Joi.ObjectSchema<Extract<ControlMessage, { type: Type }>>;
} = {
  welcome: Joi.object<WelcomeMessage, true>({
    type: oneOf(['welcome']),
    epoch: epoch(),
    seq: count('The number of the newest fact'),
    heartbeatSeconds: Joi.number().min(0).required().description('Seconds from one heartbeat to the next'),
  }),
  authenticated: Joi.object<AuthenticatedMessage, true>({
    type: oneOf(['authenticated']),
    id: answered(),
    address: address(),
    scopes: scopes(),
  }),
  subscribed: Joi.object<SubscribedMessage, true>({
    type: oneOf(['subscribed']),
    id: answered(),
    channels: channels(),
    seq: count('Every later message on these channels has a higher seq'),
    snapshot: snapshot.optional(),
  }),
  resync: Joi.object<ResyncMessage, true>({
    type: oneOf(['resync']),
    id: answered(),
    channels: channels(),
    reason: oneOf(RESYNC_REASONS).description('Why the client cannot get all facts after its position'),
    epoch: epoch(),
    seq: count('Every later message on these channels has a higher seq'),
    snapshot: snapshot.required(),
  }),
  unsubscribed: Joi.object<UnsubscribedMessage, true>({
    type: oneOf(['unsubscribed']),
    id: answered(),
    channels: channels(),
  }),
  heartbeat: Joi.object<HeartbeatMessage, true>({
    type: oneOf(['heartbeat']),
    seq: count('The newest fact. A client that catches up does not have everything up to it'),
    ts: instant('Now'),
  }),
  error: Joi.object<ErrorMessage, true>({
    type: oneOf(['error']),
    id: answered(),
    code: oneOf(Object.keys(ERROR_TABLE)),
    message: text(),
  }),
  pong: Joi.object<PongMessage, true>({ type: oneOf(['pong']), id: commandId() }),
};
