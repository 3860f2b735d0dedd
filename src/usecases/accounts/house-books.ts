import type { Config } from '../../config';
import { exposureOf, type HouseBooks } from '../../domain/house';
import type { MarketTotal, Reader } from '../../ports/storage';

/**
 * Reads the totals before the treasury. If a market is resolved between the two reads, its worst loss is in
 * the totals and its actual loss is in the treasury. In the other order neither would hold a loss of this
 * market.
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
