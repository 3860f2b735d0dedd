/**
 * The schemas of the messages of facts, for the AsyncAPI document. The service does not check the messages with them
 * before it sends them.
 */
import Joi from 'joi';
import type { EventName } from '../domain/events';
import { CREATOR_STATUSES, SIDES } from '../domain/types';
import { balanceFigures } from '../views/account.schema';
import {
  address,
  amount,
  category,
  id,
  instant,
  marketId,
  marketStatus,
  nullableText,
  oneOf,
  outcome,
  probability,
  question,
  shares,
  side,
  slug,
  text,
  ticker,
  usd,
} from '../views/fields.schema';
import { tradeCore } from '../views/trade.schema';
import type { MessageMap } from './channel-messages';
import { MARKET_CHANNELS } from './channel-keys';
import type { BalanceFigures } from './event-data';
import type { BalanceReason } from './facts';
import type { EventMessage } from './protocol';

export const figures = Joi.object<BalanceFigures, true>(balanceFigures);

const market = {
  marketId: marketId(),
  tickerId: ticker(),
  slug: slug(),
  question: question(),
  category: category(),
  status: marketStatus(),
  resolveDate: instant('When trading ends'),
};

const prices = {
  yesPrice: probability('Price of YES after the fact'),
  noPrice: probability('Price of NO after the fact'),
  volume: amount('Total trade volume of the market after the fact, before fees'),
  liquidity: amount('What the pool would pay if every holder sold after the fact'),
};

/**
 * The reasons of changes that `account.balance` reports. Messages of trades and payouts contain the balance
 * themselves.
 */
const OWN_MESSAGE_REASONS: readonly BalanceReason[] = ['deposit', 'fee', 'withdrawal'];

export const messageData: { readonly [Name in EventName]: Joi.ObjectSchema<MessageMap[Name]> } = {
  'market.created': Joi.object<MessageMap['market.created'], true>(market),
  'market.resolving': Joi.object<MessageMap['market.resolving'], true>(market),
  'market.proposed': Joi.object<MessageMap['market.proposed'], true>({
    ...market,
    outcome: oneOf(SIDES).description('What is proposed'),
    oracleConsensus: probability('Confidence of the oracle'),
    proposedAt: instant('When the voters agreed'),
    payAt: instant('When the market is resolved, unless an operator decides before'),
  }),
  'market.escalated': Joi.object<MessageMap['market.escalated'], true>({
    ...market,
    proposal: oneOf(SIDES).allow(null).description('The outcome on which the voters agreed, or null'),
  }),
  'market.resolved': Joi.object<MessageMap['market.resolved'], true>({
    ...market,
    outcome: outcome(),
    resolvedAt: instant('When the outcome was decided'),
    oracleConsensus: probability('Confidence of the oracle; 1 when an operator decided'),
  }),
  trade: Joi.object<MessageMap['trade'], true>({
    ...tradeCore,
    traderAddress: text().description(
      'Shortened: the public channels do not show whole addresses of traders',
    ),
    ...prices,
  }),
  price: Joi.object<MessageMap['price'], true>({ marketId: marketId(), ...prices }),
  'account.trade': Joi.object<MessageMap['account.trade'], true>({
    address: address(),
    ...tradeCore,
    realizedPnl: usd('Profit or loss that the trade realized'),
    balance: figures.required(),
  }),
  'account.settlement': Joi.object<MessageMap['account.settlement'], true>({
    address: address(),
    marketId: marketId(),
    side: side(),
    outcome: outcome(),
    shares: shares('How many shares the position had'),
    payout: amount('What the position was paid'),
    realizedPnl: usd('Profit or loss that the payout realized'),
    balance: figures
      .required()
      .allow(null)
      .description('After the payout; null for a payout of 0 that an earlier version stored'),
  }),
  'account.balance': Joi.object<MessageMap['account.balance'], true>({
    address: address(),
    reason: oneOf(OWN_MESSAGE_REASONS).description('Why the balance changed'),
    balance: figures.required(),
  }),
  'creator.updated': Joi.object<MessageMap['creator.updated'], true>({
    address: address(),
    status: oneOf(CREATOR_STATUSES).description('Only an approved creator may create markets'),
    reason: nullableText().description(
      "Why operators rejected the creator; else null. Only the host's handlers also get the reason of a suspension",
    ),
  }),
};

const onEither = (channel: string): Joi.StringSchema =>
  text().pattern(new RegExp(`^(${channel}|${MARKET_CHANNELS})$`));

/** The events of each channel. The channel `market:<id>` has the events of `markets` and of `trades`. */
export const channelEvents = {
  markets: ['market.created', 'market.resolving', 'market.proposed', 'market.resolved', 'market.escalated'],
  trades: ['trade'],
  prices: ['price'],
  account: ['account.trade', 'account.settlement', 'account.balance', 'creator.updated'],
} as const satisfies Record<string, EventName[]>;

function eventSchema<Name extends EventName>(
  event: Name,
  channel: Joi.StringSchema,
  marketSeq: Joi.Schema,
): Joi.ObjectSchema<EventMessage<Name>> {
  return Joi.object({
    type: oneOf(['event']),
    channel: channel.description('The channel of the message, of those to which the client subscribes'),
    event: oneOf([event]),
    seq: id('The number of the fact over all facts, without gaps'),
    prev: Joi.number()
      .integer()
      .min(0)
      .allow(null)
      .description(
        'seq of the previous message on this channel; null if this instance does not know it; left out of prices with conflate',
      ),
    marketSeq,
    ts: instant('When the fact became true'),
    data: messageData[event].required(),
  });
}

const marketSeq = (): Joi.NumberSchema =>
  id('The number of the fact over all facts of the market, without gaps');
const noMarketSeq = (): Joi.Schema => Joi.valid(null).required();

const ofMarket = <Name extends EventName>(event: Name) =>
  eventSchema(event, onEither('markets'), marketSeq());
const ofAccount = <Name extends EventName>(event: Name, number: Joi.Schema = noMarketSeq()) =>
  eventSchema(event, oneOf(['account']), number);

export const eventMessages: { readonly [Name in EventName]: Joi.ObjectSchema<EventMessage<Name>> } = {
  'market.created': ofMarket('market.created'),
  'market.resolving': ofMarket('market.resolving'),
  'market.proposed': ofMarket('market.proposed'),
  'market.escalated': ofMarket('market.escalated'),
  'market.resolved': ofMarket('market.resolved'),
  trade: eventSchema('trade', onEither('trades'), marketSeq()),
  price: eventSchema('price', oneOf(['prices']), marketSeq()),
  'account.trade': ofAccount('account.trade', marketSeq()),
  'account.balance': ofAccount(
    'account.balance',
    marketSeq().allow(null).description('Of the trade that earned a fee; null for other reasons'),
  ),
  'account.settlement': ofAccount('account.settlement'),
  'creator.updated': ofAccount('creator.updated'),
};
