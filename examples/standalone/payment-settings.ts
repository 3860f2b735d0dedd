/**
 * Chooses the adapters that settle payments and send withdrawals (docs/standalone.md). Only variables that make
 * sense together are accepted.
 */
import {
  address,
  integer,
  privateKey,
  serviceUrl,
  together,
  unexpected,
  wrong,
  type Key,
  type SettingsError,
  type Variables,
} from './checks';
import { decoded } from './scrub';

export type FacilitatorChoice =
  | { kind: 'development' }
  /** `authorization` is the value of a header. `rpcUrl` is the address of a node that looks payments up. */
  | { kind: 'http'; url: string; authorization: string | undefined; rpcUrl: string | undefined }
  | { kind: 'evm'; rpcUrl: string; settler: Key };

export type PayoutChoice =
  | { kind: 'development' }
  | { kind: 'evm'; rpcUrl: string; treasury: Key; finalityDepth: number | undefined }
  /** No adapter, so withdrawals are refused. */
  | { kind: 'none' };

export interface PaymentSettings {
  facilitator: FacilitatorChoice;
  payout: PayoutChoice;
  payTo: string;
  network: string;
  /** `undefined`: USDC on Base. */
  asset: string | undefined;
  assetName: string | undefined;
  assetVersion: string | undefined;
}

/**
 * The recipient in the payment requirements with play money and without `PAY_TO`. No money moves then, but
 * the requirements have to name an address.
 */
const BURN_ADDRESS = '0x000000000000000000000000000000000000dEaD';
const BASE = 'eip155:8453';

export function readPaymentSettings(value: Variables): PaymentSettings {
  // Checks each value by itself, and then the values together.
  const { facilitator, treasury, finalityDepth, payTo, ...token } = together({
    facilitator: () => facilitatorChoice(value),
    treasury: () => privateKey('TREASURY_PRIVATE_KEY', value('TREASURY_PRIVATE_KEY')),
    finalityDepth: () => integer('FINALITY_DEPTH', value('FINALITY_DEPTH'), undefined, 1, 1_000_000),
    payTo: () => address('PAY_TO', value('PAY_TO')),
    network: () => network(value('NETWORK')),
    asset: () => address('ASSET', value('ASSET')),
    assetName: () => value('ASSET_NAME'),
    assetVersion: () => value('ASSET_VERSION'),
  });
  const isPlayMoney = facilitator.kind === 'development';
  const chosen = together({
    payout: () => payoutChoice(treasury, facilitator, finalityDepth),
    payTo: () => (isPlayMoney ? (payTo ?? BURN_ADDRESS) : realPayTo(payTo)),
    asset: () => (isPlayMoney ? token.asset : realAsset(token.asset, token.network)),
  });
  return { facilitator, ...token, ...chosen };
}

function realPayTo(payTo: string | undefined): string {
  if (payTo === undefined)
    throw wrong('PAY_TO', 'required with real payments: the address that receives them');
  if (payTo === BURN_ADDRESS) throw wrong('PAY_TO', 'what is paid to this address cannot be spent');
  return payTo;
}

function realAsset(asset: string | undefined, network: string): string | undefined {
  if (asset === undefined && network !== BASE)
    throw wrong('ASSET', `required with NETWORK=${network}: the default is USDC on ${BASE}`);
  return asset;
}

function facilitatorChoice(value: Variables): FacilitatorChoice {
  const { url, rpcUrl, settler } = together({
    url: () => facilitatorUrl(value('FACILITATOR_URL')),
    rpcUrl: () => nodeUrl(value),
    settler: () => privateKey('SETTLER_PRIVATE_KEY', value('SETTLER_PRIVATE_KEY')),
  });
  if (url !== undefined) {
    if (settler !== undefined) throw twoSettlers();
    return { kind: 'http', ...withoutCredentials(url), rpcUrl };
  }
  if (rpcUrl === undefined && settler === undefined) return { kind: 'development' };
  if (rpcUrl === undefined) throw wrong('SETTLER_PRIVATE_KEY', 'needs RPC_URL beside it');
  if (settler === undefined)
    throw wrong(
      'RPC_URL',
      'needs SETTLER_PRIVATE_KEY beside it, or FACILITATOR_URL: one of them has to settle',
    );
  return { kind: 'evm', rpcUrl, settler };
}

function facilitatorUrl(text: string | undefined): URL | undefined {
  const url = serviceUrl('FACILITATOR_URL', text);
  if (url !== undefined && (url.search !== '' || url.hash !== ''))
    throw wrong('FACILITATOR_URL', 'expected an address without query or fragment');
  return url;
}

function twoSettlers(): SettingsError {
  return wrong('SETTLER_PRIVATE_KEY', 'FACILITATOR_URL settles payments already; unset one of the two');
}

function nodeUrl(value: Variables): string | undefined {
  const text = value('RPC_URL');
  serviceUrl('RPC_URL', text);
  return text;
}

/** The address without credentials. Credentials in `https://user:password@host` are sent as a header. */
function withoutCredentials(url: URL): { url: string; authorization: string | undefined } {
  const { username, password } = url;
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  const pair = `${decoded(username)}:${decoded(password)}`;
  return {
    url: bare.href.replace(/\/+$/, ''),
    authorization: pair === ':' ? undefined : `Basic ${Buffer.from(pair).toString('base64')}`,
  };
}

function payoutChoice(
  treasury: Key | undefined,
  facilitator: FacilitatorChoice,
  finalityDepth: number | undefined,
): PayoutChoice {
  if (facilitator.kind === 'development') {
    if (treasury === undefined) return { kind: 'development' };
    throw wrong(
      'TREASURY_PRIVATE_KEY',
      'needs RPC_URL and a facilitator that settles payments: this is play money',
    );
  }
  if (treasury === undefined) return { kind: 'none' };
  const { rpcUrl } = facilitator;
  if (rpcUrl === undefined) throw wrong('TREASURY_PRIVATE_KEY', 'needs RPC_URL beside it');
  if (facilitator.kind === 'evm' && facilitator.settler.address === treasury.address)
    throw wrong(
      'TREASURY_PRIVATE_KEY',
      'must be another key than SETTLER_PRIVATE_KEY: it may send nothing else',
    );
  return { kind: 'evm', rpcUrl, treasury, finalityDepth };
}

function network(text: string | undefined): string {
  if (text === undefined) return BASE;
  if (/^eip155:[1-9]\d{0,15}$/.test(text)) return text;
  throw unexpected('NETWORK', 'a CAIP-2 identifier such as eip155:8453', text);
}

/** The shortest text that is removed from logs as a secret. Shorter texts may be ordinary words. */
const SHORTEST_SECRET = 8;
/**
 * The shortest part of an address that counts as a key. Providers of nodes put the key into the path or the
 * query. A shorter part, such as `/api/v2`, is no key.
 */
const SHORTEST_KEY_IN_ADDRESS = 16;

/** The texts that must never be shown. Drivers put addresses and headers into their errors. */
export function secretsOf({ facilitator, payout }: PaymentSettings): string[] {
  const secrets: string[] = [];
  if (facilitator.kind === 'http') secrets.push(...secretsOfHeader(facilitator.authorization));
  if (facilitator.kind === 'evm') secrets.push(facilitator.settler.privateKey.slice(2));
  if (payout.kind === 'evm') secrets.push(payout.treasury.privateKey.slice(2));
  if (facilitator.kind !== 'development') secrets.push(...secretsOfNode(facilitator.rpcUrl));
  return secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
}

function secretsOfHeader(header: string | undefined): string[] {
  if (header === undefined) return [];
  const encoded = header.replace(/^Basic /, '');
  const password = Buffer.from(encoded, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
  return [encoded, password, encodeURIComponent(password)];
}

function secretsOfNode(text: string | undefined): string[] {
  if (text === undefined) return [];
  const { pathname, search, username, password } = new URL(text);
  const keys = [...pathname.split('/'), ...search.split(/[?&=]/)];
  return [username, password, decoded(password)].concat(
    keys.filter((key) => key.length >= SHORTEST_KEY_IN_ADDRESS),
  );
}
