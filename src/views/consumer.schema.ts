import Joi from 'joi';
import {
  CONSUMER_STATUSES,
  type ConsumerListView,
  type ConsumerView,
  type ParkedFactListView,
  type ParkedFactView,
  type RemovedConsumerView,
} from './consumer';
import { count, id, instant, nullableInstant, nullableText, oneOf, page, text } from './fields.schema';

export const consumer = Joi.object<ConsumerView, true>({
  name: text(),
  status: oneOf(CONSUMER_STATUSES).description('idle: no instance works on the consumer'),
  reason: oneOf(['EPOCH', 'SEQ_AHEAD', 'RETENTION', 'PARKED_LIMIT'])
    .allow(null)
    .description('Why the consumer is stopped until an operator acts'),
  position: Joi.object({ epoch: text(), seq: count() })
    .required()
    .description('Facts up to it were handled or parked, or passed over at the start or by an operator'),
  behind: count().description('How many facts there are after the position'),
  waitingSince: nullableInstant('When the oldest fact after the position was made'),
  owner: nullableText().description('The instance that works on the consumer'),
  failures: count().description('Failed attempts at the facts that are tried at present'),
  lastError: nullableText(),
  parked: count().description('How many facts are parked'),
  createdAt: instant('When it was first used'),
  updatedAt: instant('When its position or its owner was last written'),
});

export const consumerList = Joi.object<ConsumerListView, true>({
  consumers: Joi.array().items(consumer).required(),
});

export const removedConsumer = Joi.object<RemovedConsumerView, true>({
  name: text(),
  removed: Joi.boolean().valid(true).required(),
});

export const parkedFact = Joi.object<ParkedFactView, true>({
  id: text().description('<epoch>:<seq>'),
  seq: id(),
  marketId: id().allow(null),
  kind: text(),
  createdAt: instant('When the fact was made'),
  data: Joi.object().unknown().required().description('The data of the fact, as the outbox had them'),
  failures: count().description('Failed attempts'),
  error: text().description('Of the last attempt'),
  parkedAt: instant('When it was parked'),
  redo: Joi.boolean().required().description('Whether the handler is to try the fact once more'),
});

export const parkedFactList = Joi.object<ParkedFactListView, true>({
  parked: Joi.array().items(parkedFact).required(),
  ...page,
});
