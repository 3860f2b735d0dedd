import type { AnyPublishedEvent, EventMap, EventName, StoredFact } from '../domain/events';
import { kindOf } from '../domain/options';
import { checksumAddress, isoTime } from '../views/format';
import { creatorUpdate, ownSettlement, ownTrade, publicTrade } from './event-data';
import { dataOf, type BalanceFacts, type FactKind, type SettlementFacts, type TradeFacts } from './facts';

type Expansion = { [Name in EventName]: { event: Name; data: EventMap[Name] } }[EventName];

/**
 * The events of a numbered fact, in the order in which listeners get them. A fact of an unknown kind, written by a
 * newer version of the service, becomes no event.
 */
export function eventsOfFact(fact: StoredFact): AnyPublishedEvent[] {
  if (!Number.isFinite((fact as StoredFact | undefined)?.createdAt))
    throw new TypeError(`eventsOfFact: give a fact as the storage has it, got ${kindOf(fact)}`);
  const { seq, marketSeq } = fact;
  if (seq === null) throw new Error('A fact becomes events only once it has its number');
  const ts = isoTime(fact.createdAt);
  return expansionsOf(fact, ts).map(({ event: name, data }) => {
    // The compiler does not see that `name` and `data` belong together.
    return { event: name, seq, marketSeq, ts, data } as AnyPublishedEvent;
  });
}

function expansionsOf(fact: StoredFact, ts: string): Expansion[] {
  switch (fact.kind as FactKind) {
    case 'market.created':
      return [{ event: 'market.created', data: dataOf<'market.created'>(fact) }];
    case 'market.resolving':
      return [{ event: 'market.resolving', data: dataOf<'market.resolving'>(fact) }];
    case 'market.resolved':
      return [{ event: 'market.resolved', data: dataOf<'market.resolved'>(fact) }];
    case 'market.proposed':
      return [{ event: 'market.proposed', data: dataOf<'market.proposed'>(fact) }];
    case 'market.escalated':
      return [{ event: 'market.escalated', data: dataOf<'market.escalated'>(fact) }];
    case 'trade':
      return expandTrade(dataOf<'trade'>(fact), ts);
    case 'settlement':
      return expandSettlement(dataOf<'settlement'>(fact));
    case 'balance':
      return [expandBalance(dataOf<'balance'>(fact))];
    case 'creator.updated': {
      const data = creatorUpdate(dataOf<'creator.updated'>(fact));
      return [{ event: 'creator.updated', data }];
    }
    default:
      return [];
  }
}

function expandTrade(facts: TradeFacts, createdAt: string): Expansion[] {
  return [
    { event: 'trade', data: publicTrade(facts, createdAt) },
    { event: 'price', data: facts.price },
    { event: 'account.trade', data: ownTrade(facts, createdAt) },
    ...facts.balances.map(expandBalance),
  ];
}

/** A payout of 0 leaves the balance as it was, so there is no `account.balance`. */
function expandSettlement(facts: SettlementFacts): Expansion[] {
  const settled: Expansion = { event: 'account.settlement', data: ownSettlement(facts) };
  const { balance, settlement } = facts;
  return balance === null || settlement.payout === 0 ? [settled] : [settled, expandBalance(balance)];
}

function expandBalance({ wallet, ...figures }: BalanceFacts): Expansion {
  return {
    event: 'account.balance',
    data: { address: checksumAddress(wallet), ...figures },
  };
}
