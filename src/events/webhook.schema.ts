/** The schemas of the messages of webhooks, for the OpenAPI document. */
import Joi from 'joi';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../domain/webhooks';
import { id, instant, oneOf } from '../views/fields.schema';
import { messageData } from './message.schema';

function webhookSchema(event: WebhookEvent): Joi.ObjectSchema {
  const isOfMarket = event !== 'creator.updated';
  return Joi.object({
    type: oneOf([event]),
    timestamp: instant('When the fact became true'),
    data: messageData[event]
      .append({
        seq: id('The number of the fact over all facts, without gaps'),
        marketSeq: isOfMarket
          ? id('The number of the fact over all facts of the market, without gaps')
          : Joi.valid(null).required(),
      })
      .required(),
  });
}

export const webhookMessages = Object.fromEntries(
  WEBHOOK_EVENTS.map((event) => [event, webhookSchema(event)]),
) as Readonly<Record<WebhookEvent, Joi.ObjectSchema>>;
