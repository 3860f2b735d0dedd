import { validationError } from '../../domain/errors';
import { marketChannel, marketOfChannel, type MarketChannel } from '../../events/channel-keys';

export type PublicChannel = 'markets' | 'trades' | 'prices';

/** `account` is the account of the reader. The name does not contain the wallet. */
export type NamedChannel = PublicChannel | MarketChannel | 'account';

export interface ParsedChannels {
  /** In the order in which the client named them. */
  channels: NamedChannel[];
  marketIds: number[];
}

const PLAIN: ReadonlySet<string> = new Set<PublicChannel>(['markets', 'trades', 'prices']);
const LONGEST_SHOWN = 40;

/** A repeated name counts once. @throws PredictionMarketError VALIDATION_ERROR for an unknown name. */
export function parseChannels(names: readonly string[]): ParsedChannels {
  const parsed: ParsedChannels = { channels: [], marketIds: [] };
  for (const name of new Set(names)) {
    const id = marketOfChannel(name);
    if (PLAIN.has(name) || name === 'account') parsed.channels.push(name as NamedChannel);
    else if (id === null) throw unknownChannel(name);
    else {
      parsed.channels.push(marketChannel(id));
      parsed.marketIds.push(id);
    }
  }
  return parsed;
}

function unknownChannel(name: string): Error {
  const shown = name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name;
  const message = `There is no channel ${JSON.stringify(shown)}; the channels are markets, trades, prices, market:<id> and account`;
  return validationError([{ field: 'channels', message }]);
}
