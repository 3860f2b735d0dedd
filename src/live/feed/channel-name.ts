/** The names of channels, as clients spell them. */
import { validationError } from '../../domain/errors';
import { marketChannel, marketOfChannel, type MarketChannel } from '../../events/channels';

export type PublicChannel = 'markets' | 'trades' | 'prices';

export interface ParsedChannels {
  plain: PublicChannel[];
  markets: { id: number; key: MarketChannel }[];
  account: boolean;
}

const PLAIN: ReadonlySet<string> = new Set<PublicChannel>(['markets', 'trades', 'prices']);
const LONGEST_SHOWN = 40;

/**
 * Reads the names of channels. A repeated name counts once. @throws PredictionMarketError VALIDATION_ERROR for
 * an unknown name.
 */
export function parseChannels(names: readonly string[]): ParsedChannels {
  const parsed: ParsedChannels = { plain: [], markets: [], account: false };
  for (const name of new Set(names)) {
    const id = marketOfChannel(name);
    if (PLAIN.has(name)) parsed.plain.push(name as PublicChannel);
    else if (id !== null) parsed.markets.push({ id, key: marketChannel(id) });
    else if (name === 'account') parsed.account = true;
    else throw unknownChannel(name);
  }
  return parsed;
}

function unknownChannel(name: string): Error {
  const shown = name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name;
  const message = `There is no channel ${JSON.stringify(shown)}; the channels are markets, trades, prices, market:<id> and account`;
  return validationError([{ field: 'channels', message }]);
}
