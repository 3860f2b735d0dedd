import Joi from 'joi';
import {
  CONSUMER_STATUSES,
  type ConsumerListView,
  type ConsumerView,
  type ParkedFactListView,
  type ParkedFactView,
  type RemovedConsumerView,
} from './consumer';
import {
  count,
  flag,
  id,
  instant,
  marketId,
  nullableInstant,
  nullableText,
  oneOf,
  page,
  positionFields,
  text,
} from './fields.schema';

export const consumer = Joi.object<ConsumerView, true>({
  name: text().description('The name that the host has given the consumer'),
  status: oneOf(CONSUMER_STATUSES).description(
    'idle: no instance works on the consumer; stopped: no fact is handled until an operator acts',
  ),
  reason: oneOf(['EPOCH', 'SEQ_AHEAD', 'RETENTION', 'PARKED_LIMIT'])
    .allow(null)
    .description('Why the consumer is stopped; null while it is not stopped'),
  position: Joi.object(positionFields)
    .required()
    .description(
      'Facts up to this position were handled or parked, or passed over at the start or by an operator',
    ),
  behind: count('How many facts there are after the position'),
  waitingSince: nullableInstant('When the oldest fact after the position was made'),
  owner: nullableText().description('The instance that works on the consumer'),
  failures: count('Failed attempts at the facts that are tried at present'),
  lastError: nullableText().description('The error of the last failed attempt'),
  parked: count('How many facts are parked'),
  createdAt: instant('When it was first used'),
  updatedAt: instant('When its position or its owner was last written'),
});

export const consumerList = Joi.object<ConsumerListView, true>({
  consumers: Joi.array().items(consumer).required(),
});

export const removedConsumer = Joi.object<RemovedConsumerView, true>({
  name: text().description('The name that the host has given the consumer'),
  removed: Joi.boolean().valid(true).required(),
});

export const parkedFact = Joi.object<ParkedFactView, true>({
  id: text().description('`<epoch>:<seq>` of the fact'),
  seq: id('The number of the fact'),
  marketId: marketId().allow(null),
  kind: text().description('The kind of the fact'),
  createdAt: instant('When the fact was made'),
  data: Joi.object().unknown().required().description('The data of the fact, as the outbox had them'),
  failures: count('Failed attempts'),
  error: text().description('The error of the last attempt'),
  parkedAt: instant('When it was parked'),
  redo: flag('Whether the handler is to try the fact once more'),
});

export const parkedFactList = Joi.object<ParkedFactListView, true>({
  parked: Joi.array().items(parkedFact).required(),
  ...page,
});
