/** The browser wallet, which signs the service's challenges. */
import type { ChallengeAction } from '../../src/index';
import { api, Refusal } from './api';

interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

export function provider(): Provider | null {
  return (window as Window & { ethereum?: Provider }).ethereum ?? null;
}

interface Challenge {
  data: { nonce: string; message: string };
}
export interface Signed {
  address: string;
  message: string;
  signature: string;
  nonce: string;
}

export async function signChallenge(
  action: Exclude<ChallengeAction, 'revoke'>,
  keyId?: number,
): Promise<Signed> {
  const wallet = provider();
  if (wallet === null) throw new Error('No wallet was found in this browser.');
  const [address] = (await wallet.request({ method: 'eth_requestAccounts' })) as string[];
  if (address === undefined) throw new Error('The wallet gave no address.');
  const { data } = await api<Challenge>('POST', '/auth/challenge', {
    body: { address, action, ...(keyId !== undefined && { keyId }) },
  });
  const signature = (await wallet.request({
    method: 'personal_sign',
    params: [hexOf(data.message), address],
  })) as string;
  return { address, message: data.message, signature, nonce: data.nonce };
}

/** Wallets get the message in hex, because some take a plain text for something else. */
function hexOf(text: string): string {
  return `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

const LABEL = 'Website';
/** The permissions that the pages need. Withdrawals are not among them. */
const SCOPES = ['markets:read', 'markets:create', 'trades:create', 'account:read'];

interface IssuedKey {
  data: { apiKey: string };
}
interface KeyList {
  data: { keys: { id: number; label: string | null }[] };
}

/**
 * Issues a key for this browser. If the wallet has the largest number of keys, the older key of the website
 * is replaced.
 */
export async function logIn(): Promise<string> {
  const signed = await signChallenge('issue');
  try {
    const issued = await api<IssuedKey>('POST', '/auth/token', {
      body: { ...signed, label: LABEL, scopes: SCOPES },
    });
    return issued.data.apiKey;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'KEY_LIMIT_REACHED') throw error;
    const { data } = await api<KeyList>('GET', `/auth/keys?address=${signed.address}`);
    const older = data.keys.find(({ label }) => label === LABEL);
    if (older === undefined) throw error;
    const again = await signChallenge('regenerate', older.id);
    const issued = await api<IssuedKey>('POST', `/auth/keys/${older.id}/regenerate`, { body: again });
    return issued.data.apiKey;
  }
}
