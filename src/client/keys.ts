/** API keys of wallets, and applications as a creator. The wallet signs a message for each change. */
import type { Challenge, CreatorStatus, IssuedKey, Key, RevokedKey } from './api.generated';
import type { Call } from './call';
import { challengeProblem } from './challenge';
import { nothingSigned } from './errors';
import type { Body } from './operations';
import type { CallOptions, ServiceConnection } from './options';
import { addressOf, type WalletSigner } from './signers';

type ChallengeBody = Body<'/auth/challenge'>;
export type Scope = NonNullable<Body<'/auth/token'>['scopes']>[number];

export interface SignOptions extends CallOptions {
  /** `siwe`: a message by EIP-4361, which some wallets show in a clearer form. Default `text`. */
  format?: ChallengeBody['format'] | undefined;
}

export interface IssueOptions extends SignOptions {
  /** The name of the key in lists: one line of at most 100 characters. */
  label?: string | undefined;
  /** Default: all scopes. */
  scopes?: Scope[] | undefined;
}

export interface ConnectOptions extends IssueOptions {
  /**
   * Replaces the wallet's active key with the same label, if there is one. The new key has the scopes of the old key.
   * Needs `label`.
   */
  replace?: boolean | undefined;
}

interface Signed {
  address: string;
  message: string;
  signature: string;
  nonce: string;
}

export interface Keys {
  /** Gets a message to sign. `issue`, `revoke` and `regenerate` do this by themselves. */
  challenge(body: ChallengeBody, options?: CallOptions): Promise<Challenge>;
  /** Gets a key for the wallet. The client does not send this key; `connectWallet` gets a key and sends it. */
  issue(signer: WalletSigner, options?: IssueOptions): Promise<IssuedKey>;
  /** The active keys of a wallet, without the raw keys. */
  list(address: string, options?: CallOptions): Promise<Key[]>;
  /** Revokes a key with a signature of its wallet. `keyId` comes from `list`. */
  revoke(signer: WalletSigner, keyId: number, options?: SignOptions): Promise<RevokedKey>;
  /** Replaces a key with a new one. The service revokes the old key at the same time. */
  regenerate(signer: WalletSigner, keyId: number, options?: SignOptions): Promise<IssuedKey>;
}

export interface Creators {
  /** Whether the wallet may create markets, and how far its application is. */
  status(address: string, options?: CallOptions): Promise<CreatorStatus>;
  /** Applies for the right to create markets. Operators approve or reject the application. */
  apply(
    signer: WalletSigner,
    application?: {
      /** The name that markets of this creator show: one line of at most 50 characters. */
      displayName?: string | undefined;
      /** What operators read about the creator: at most 1,000 characters. */
      statement?: string | undefined;
    },
    options?: SignOptions,
  ): Promise<CreatorStatus>;
}

export function keysOf(call: Call, serviceHost: string | null): Keys {
  const sign = signing(call, serviceHost);
  return {
    challenge: (body, options) => call('post', '/auth/challenge', { body }, options),
    async issue(signer, { label, scopes, ...options } = {}) {
      const body = { ...(await sign(signer, { action: 'issue' }, options)), label, scopes };
      return call('post', '/auth/token', { body: body as Body<'/auth/token'> }, options);
    },
    list: async (address, options) => (await call('get', '/auth/keys', { query: { address } }, options)).keys,
    async revoke(signer, keyId, options = {}) {
      const body = await sign(signer, { action: 'revoke', keyId }, options);
      return call('post', '/auth/keys/{id}/revoke', { path: { id: keyId }, body }, options);
    },
    async regenerate(signer, keyId, options = {}) {
      const body = await sign(signer, { action: 'regenerate', keyId }, options);
      return call('post', '/auth/keys/{id}/regenerate', { path: { id: keyId }, body }, options);
    },
  };
}

export function creatorsOf(call: Call, serviceHost: string | null): Creators {
  const sign = signing(call, serviceHost);
  return {
    status: (address, options) => call('get', '/creator/status', { query: { address } }, options),
    async apply(signer, application = {}, options = {}) {
      const body = { ...(await sign(signer, { action: 'apply' }, options)), ...application };
      return call('post', '/creator/apply', { body }, options);
    },
  };
}

type Purpose = Pick<ChallengeBody, 'action' | 'keyId'>;

function signing(call: Call, host: string | null) {
  return async (signer: WalletSigner, purpose: Purpose, options: SignOptions): Promise<Signed> => {
    const address = await addressOf(signer);
    const body = { address, ...purpose, format: options.format } as ChallengeBody;
    const path = '/auth/challenge';
    const { message, nonce } = await call('post', path, { body }, options);
    const reason = challengeProblem(message, { ...purpose, address, nonce, host });
    if (reason !== null)
      throw nothingSigned(
        { method: 'POST', path, status: 200, attempts: 1, details: { message } },
        { code: 'CHALLENGE_REFUSED', reason },
      );
    return { address, message, nonce, signature: await signer.signMessage(message) };
  };
}

export function connecting(keys: Keys, { key }: Pick<ServiceConnection, 'key'>) {
  return async (
    signer: WalletSigner,
    { replace = false, ...options }: ConnectOptions = {},
  ): Promise<IssuedKey> => {
    const { label, scopes: _kept, ...ofTheCall } = options;
    if (replace && label === undefined) throw new TypeError('replace needs a label');
    const older = replace ? await withLabel(keys, await addressOf(signer), label, options) : undefined;
    const issued =
      older === undefined
        ? await keys.issue(signer, options)
        : await keys.regenerate(signer, older.id, ofTheCall);
    key.set(issued.apiKey);
    return issued;
  };
}

async function withLabel(
  keys: Keys,
  address: string,
  label: string | undefined,
  { signal }: CallOptions,
): Promise<Key | undefined> {
  const active = await keys.list(address, { signal });
  return active.find((key) => key.label === label);
}
