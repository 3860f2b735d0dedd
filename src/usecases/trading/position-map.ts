import type { Address, Position, Side } from '../../domain/types';

/**
 * Positions by market, side and wallet. The maps are nested, so that a look-up does not have to build a key
 * string.
 */
export interface PositionMap {
  get(marketId: number, side: Side, wallet: Address): Position | undefined;
  set(position: Position): void;
  values(): Position[];
}

type OfMarket = Readonly<Record<Side, Map<Address, Position>>>;

export function createPositionMap(positions: readonly Position[] = []): PositionMap {
  const markets = new Map<number, OfMarket>();

  function ofMarket(marketId: number): OfMarket {
    const known = markets.get(marketId);
    if (known !== undefined) return known;
    const fresh: OfMarket = { YES: new Map(), NO: new Map() };
    markets.set(marketId, fresh);
    return fresh;
  }

  function set(position: Position): void {
    ofMarket(position.marketId)[position.side].set(position.wallet, position);
  }

  for (const position of positions) set(position);
  return {
    get: (marketId, side, wallet) => markets.get(marketId)?.[side].get(wallet),
    set,
    values: () => [...markets.values()].flatMap(({ YES, NO }) => [...YES.values(), ...NO.values()]),
  };
}
