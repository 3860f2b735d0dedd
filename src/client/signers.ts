/** Wallets that sign, made from the wallets of the usual libraries. */

/** Data to sign, in the form of EIP-712. */
export interface TypedData {
  /** The domain of the token. */
  domain: {
    /** The name of the token in its domain. */
    name: string;
    /** The version of the token in its domain. */
    version: string;
    /** The number of the chain. */
    chainId: number;
    /** The address of the token. */
    verifyingContract: string;
  };
  /** The fields of each type. */
  types: Record<string, { name: string; type: string }[]>;
  /** The type of `message`. */
  primaryType: string;
  /** The fields to sign. */
  message: Record<string, string>;
}

/** A wallet that signs messages. A `Wallet` of ethers can be used as a `WalletSigner` directly. */
export interface WalletSigner {
  /** The EVM address of the wallet, or a function that asks for it. */
  address: string | (() => Promise<string>);
  /** Signs a text as `personal_sign` does (EIP-191). */
  signMessage(text: string): Promise<string>;
}

/** A wallet that signs payments too (EIP-712). */
export interface PaymentSigner extends WalletSigner {
  /** Signs the data by EIP-712. Returns 65 bytes as 0x and hex digits. */
  signPayment(data: TypedData): Promise<string>;
}

export async function addressOf(signer: WalletSigner): Promise<string> {
  const { address } = Object(signer) as Partial<WalletSigner>;
  if (address === undefined)
    throw new TypeError('the wallet must be a signer of fromEthers, fromViem or fromEip1193');
  return typeof address === 'string' ? address : address();
}

/** The methods of a signer of ethers 6 that the client uses. */
export interface EthersSigner {
  getAddress(): Promise<string>;
  signMessage(text: string): Promise<string>;
  signTypedData(
    domain: TypedData['domain'],
    types: TypedData['types'],
    message: TypedData['message'],
  ): Promise<string>;
}

/** Makes a signer for `connectWallet` and `payWith` from a signer of ethers 6, such as a `Wallet`. */
export function fromEthers(signer: EthersSigner): PaymentSigner {
  requireMethods('fromEthers: a signer of ethers 6', signer, ['getAddress', 'signMessage', 'signTypedData']);
  return {
    address: () => signer.getAddress(),
    signMessage: (text) => signer.signMessage(text),
    signPayment: ({ domain, types, message }) => signer.signTypedData(domain, types, message),
  };
}

/** Refuses a value that is no wallet, such as a private key. Without this check, only a later call would fail. */
function requireMethods(what: string, wallet: unknown, methods: readonly string[]): void {
  const given = Object(wallet) as Record<string, unknown>;
  const missing = methods.find((method) => typeof given[method] !== 'function');
  if (missing !== undefined) throw new TypeError(`${what} has the method ${missing}; this value has none`);
}

/** The members that the client uses of an account of viem. `privateKeyToAccount` returns such an account. */
export interface ViemAccount {
  address: string;
  signMessage(parameters: { message: string }): Promise<string>;
  // The type is `never`, because viem derives the type of the parameter from the typed data of each call.
  signTypedData(parameters: never): Promise<string>;
}

/** The members of a wallet client of viem that the client uses. */
export interface ViemWalletClient {
  account?: { address: string } | undefined;
  signMessage(parameters: never): Promise<string>;
  signTypedData(parameters: never): Promise<string>;
}

/**
 * Makes a signer for `connectWallet` and `payWith` from a wallet client of viem that has an account, or from a local
 * account.
 */
export function fromViem(wallet: ViemWalletClient | ViemAccount): PaymentSigner {
  const account = (wallet as ViemWalletClient | undefined)?.account ?? (wallet as ViemAccount | undefined);
  if (account?.address === undefined) throw new TypeError('the wallet client has no account');
  // Each call passes `account`, with which a wallet client signs. A local account ignores the argument.
  const signMessage = wallet.signMessage as (parameters: object) => Promise<string>;
  const signTypedData = wallet.signTypedData as (parameters: object) => Promise<string>;
  return {
    address: account.address,
    signMessage: (message) => signMessage({ account, message }),
    signPayment: (data) => signTypedData({ account, ...data }),
  };
}

/** A wallet in the browser (`window.ethereum`), or any other provider by EIP-1193. */
export interface Eip1193Provider {
  request(call: { method: string; params?: unknown }): Promise<unknown>;
}

/**
 * Makes a signer for `connectWallet` and `payWith` from a provider by EIP-1193, such as `window.ethereum`. The signer
 * signs with `address`. Without an address, each signature uses the account that the provider has selected.
 */
export function fromEip1193(provider: Eip1193Provider, address?: string): PaymentSigner {
  requireMethods('fromEip1193: a provider by EIP-1193', provider, ['request']);
  const selected = async (): Promise<string> => {
    if (address !== undefined) return address;
    const [first] = (await provider.request({ method: 'eth_requestAccounts' })) as (string | undefined)[];
    if (first === undefined) throw new Error('The wallet gave no address.');
    return first;
  };
  const request = (method: string, params: unknown[]): Promise<string> =>
    provider.request({ method, params }) as Promise<string>;
  return {
    address: selected,
    signMessage: async (text) => request('personal_sign', [hexOf(text), await selected()]),
    signPayment: async ({ domain, types, ...rest }) => {
      const data = { ...rest, domain, types: { EIP712Domain: DOMAIN, ...types } };
      return request('eth_signTypedData_v4', [await selected(), JSON.stringify(data)]);
    },
  };
}

const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/** The text as hex digits, the form in which `personal_sign` takes a message. */
function hexOf(text: string): string {
  return `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
