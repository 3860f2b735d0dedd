import type { Config } from '../../config';
import { exposureOf, type HouseBooks } from '../../domain/house';
import type { MarketTotal, Reader } from '../../ports/storage';

/**
 * Reads the totals before the treasury. So the loss of a market that is resolved between the two reads counts
 * once or twice, and is never left out.
 */
export async function readHouseBooks(reader: Reader, config: Config): Promise<HouseBooks> {
  return houseBooks(reader, config, await reader.markets.totals());
}

/** Like `readHouseBooks`, with totals that the caller has read or locked. */
export async function houseBooks(
  reader: Pick<Reader, 'accounts'>,
  config: Config,
  totals: readonly MarketTotal[],
): Promise<HouseBooks> {
  const treasury = await reader.accounts.find('treasury');
  return {
    balance: treasury?.balance ?? 0n,
    exposure: exposureOf(totals),
    limit: config.exposureLimitMicros,
  };
}
