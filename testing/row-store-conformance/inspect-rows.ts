import type { StorageInspection } from '../storage-conformance/types';

type Fields = Record<string, string>;

/**
 * Makes the hook `inspect` for the storage suite, for a storage over a row store. `read` gives all rows by key. It
 * reads them from the file or the database behind the store, not from the store's memory.
 */
export function inspectRows(read: () => Promise<ReadonlyMap<string, string>>): StorageInspection {
  /** The row of a key. Rows contain a bigint as a text of `~` and its digits. */
  async function row<Row>(key: string): Promise<Row | null> {
    const text = (await read()).get(key);
    return text === undefined ? null : (JSON.parse(text.replaceAll('"~', '"')) as Row);
  }
  async function fields<Field extends string>(key: string, ...names: Field[]) {
    const found = await row<Fields>(key);
    if (found === null) return null;
    return Object.fromEntries(names.map((name) => [name, found[name]])) as Record<Field, string>;
  }
  return {
    account: (id) => fields(`accounts/${id}`, 'balance', 'reserved'),
    market: (id) =>
      fields(`markets/${id}`, 'liquidityParameter', 'sharesYes', 'sharesNo', 'pool', 'volume', 'creatorFees'),
    position: (marketId, wallet, side) =>
      fields(`positions/${marketId}:${wallet}:${side}`, 'shares', 'costBasis', 'realizedPnl', 'feesPaid'),
    trade: (id) => fields(`trades/${id}`, 'shares', 'notional', 'fee', 'totalCost', 'realizedPnl'),
    async entries(reference) {
      const posting = await row<{ entries: { account: string; amount: string }[] }>(`postings/${reference}`);
      return posting?.entries ?? [];
    },
    challengeExists: async (nonce) => (await row(`challenges/${nonce}`)) !== null,
  };
}
