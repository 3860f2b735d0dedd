/** The wallet to which the key of this browser belongs: where to find it, never its secret. */
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
