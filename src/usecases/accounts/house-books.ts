import type { Config } from '../../config';
import { exposureOf, type HouseBooks } from '../../domain/house';
import type { MarketTotal, Reader } from '../../ports/storage';

/**
 * Reads the totals of the markets before the treasury. A market may be resolved between the two reads. Then
 * its loss counts twice: its worst loss in the totals, and its actual loss in the treasury. In the other
 * order its loss would not count at all.
 */
export async function readHouseBooks(reader: Reader, config: Config): Promise<HouseBooks> {
  return houseBooks(reader, config, await reader.markets.totals());
}

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
