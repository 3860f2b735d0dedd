/**
 * The session: the API key that this browser stores, the balance, and the wallet to which the key belongs.
 */
import type { BalanceView } from '../../src/index';
import { isPredictionMarketApiError, type PaymentSigner } from '../../src/client';
import type { BalanceFigures } from '../../src/client/live/server-messages';
import { accountOf, browserSigner, type BrowserWallet } from './browser-wallets';
import { client, storedKey } from './client';
import { find, say } from './dom';
import { storedWallet, type StoredWallet } from './stored-wallet';
import {
  depositPlayMoney,
  FIRST_DEPOSIT_USD,
  forgetSecret,
  ownSigner,
  requirePlayMoney,
  throwAwaySigner,
} from './throw-away';
import { issueKey } from './wallet';

export type VisitorSession = BalanceView | null;

export interface CurrentWallet {
  address: string;
  /** `key`: an API key was pasted, so no wallet is here to sign. */
  kind: StoredWallet['kind'] | 'key';
  /** Signs challenges and payments. Null for a pasted key. */
  signer: PaymentSigner | null;
}

let session: VisitorSession = null;
const listeners: ((session: VisitorSession) => void)[] = [];

export const currentSession = (): VisitorSession => session;

/** The wallet to which the key of this browser belongs. Null while no wallet is connected. */
export function currentWallet(): CurrentWallet | null {
  if (session === null) return null;
  const { address } = session;
  const stored = storedWallet.get();
  if (stored?.address.toLowerCase() !== address.toLowerCase()) return { address, kind: 'key', signer: null };
  return { address, kind: stored.kind, signer: signerOf(stored) };
}

function signerOf(stored: StoredWallet): PaymentSigner {
  return stored.kind === 'browser'
    ? browserSigner(stored.walletId, stored.address)
    : throwAwaySigner(stored.address);
}

/** Calls `listener` at once, and again whenever the session is read or changed. */
export function onSession(listener: (session: VisitorSession) => void): void {
  listeners.push(listener);
  listener(session);
}

function changed(next: VisitorSession): void {
  session = next;
  for (const listener of listeners) listener(next);
}

/** Shows the balance of a message. Messages do not have the value of the positions, so this value stays as it was. */
export function showFunds(funds: BalanceFigures): void {
  if (session !== null) changed({ ...session, ...funds });
}

/**
 * Forgets the key, and which wallet it belongs to. The key itself stays valid, and the secret of a throw-away wallet
 * stays in this browser.
 */
export function signOut(): void {
  storedKey.clear();
  storedWallet.clear();
  changed(null);
}

/** Ends the session, because the server has said that the key of this browser is not valid any more. */
export function signOutByServer(): void {
  if (isReplacing) return;
  signOut();
  say(find('[data-session-notice]'), 'The API key of this browser was revoked. You are signed out.', 'bad');
}

let isReplacing = false;

/**
 * Replaces the key of this browser. The server revokes the old key before the new key arrives here, so the feed's
 * report about the old key must not end the session.
 */
export async function replaceStoredKey(replace: () => Promise<string>): Promise<void> {
  isReplacing = true;
  try {
    storedKey.set(await replace());
  } finally {
    isReplacing = false;
    await refreshSession();
  }
}

export async function refreshSession(): Promise<void> {
  if (storedKey.get() === null) {
    changed(null);
    return;
  }
  try {
    changed(await client.account.balance());
  } catch (error) {
    // A revoked key is forgotten. Other failures may be temporary.
    if (isPredictionMarketApiError(error) && error.status === 401) signOut();
    throw error;
  }
}

export async function signInWith(wallet: BrowserWallet): Promise<void> {
  const address = await accountOf(wallet);
  const apiKey = await issueKey(browserSigner(wallet.id, address));
  await useKey(apiKey, { kind: 'browser', address, walletId: wallet.id });
}

export async function signInWithKey(apiKey: string): Promise<void> {
  await useKey(apiKey, null);
}

/** Signs in with the throw-away wallet of this browser, or with a new one. A balance of 0 gets play money. */
export async function signInThrowAway(): Promise<void> {
  await requirePlayMoney();
  const signer = await ownSigner();
  await useKey(await issueKey(signer), { kind: 'throw-away', address: signer.address });
  if (session?.balance === 0) await addPlayMoney();
}

/** Deposits play money by a payment that the throw-away wallet signs. */
export async function addPlayMoney(): Promise<void> {
  const wallet = currentWallet();
  if (wallet?.kind !== 'throw-away' || wallet.signer === null)
    throw new Error('Only a throw-away wallet gets play money here.');
  await depositPlayMoney(wallet.signer, FIRST_DEPOSIT_USD);
  await refreshSession();
}

/** Removes the throw-away wallet from this browser. Its money cannot be reached any more without the secret. */
export function forgetThrowAway(): void {
  forgetSecret();
  signOut();
}

async function useKey(apiKey: string, wallet: StoredWallet | null): Promise<void> {
  storedKey.set(apiKey);
  if (wallet === null) storedWallet.clear();
  else storedWallet.set(wallet);
  await refreshSession();
  say(find('[data-session-notice]'), '');
}
