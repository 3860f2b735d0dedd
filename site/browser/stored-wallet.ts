/** Where to find the wallet of this browser's key. The secret of a wallet is not stored here. */
export type StoredWallet =
  { kind: 'browser'; address: string; walletId: string } | { kind: 'throw-away'; address: string };

const STORED = 'prediction-market.wallet';

export const storedWallet = {
  get(): StoredWallet | null {
    try {
      return valid(JSON.parse(localStorage.getItem(STORED) ?? 'null'));
    } catch {
      return null;
    }
  },
  set(wallet: StoredWallet): void {
    localStorage.setItem(STORED, JSON.stringify(wallet));
  },
  clear(): void {
    localStorage.removeItem(STORED);
  },
};

/** An older version of the pages, or a person, may have stored something else. */
function valid(value: unknown): StoredWallet | null {
  const { kind, address, walletId } = (value ?? {}) as Record<string, unknown>;
  if (typeof address !== 'string') return null;
  if (kind === 'throw-away') return { kind, address };
  return kind === 'browser' && typeof walletId === 'string' ? { kind, address, walletId } : null;
}
