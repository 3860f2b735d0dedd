import type { Config } from '../../config';
import { exposureOf, type HouseBooks } from '../../domain/house';
import type { MarketTotal, Reader } from '../../ports/storage';

/** The totals first: of a market that is resolved in between, the loss may count twice, but never not at all. */
export async function readHouseBooks(reader: Reader, config: Config): Promise<HouseBooks> {
  return houseBooks(reader, config, await reader.markets.totals());
}

/** With totals that were read, or locked, before. */
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
