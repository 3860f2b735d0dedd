import type { Health, IssuedKey, Readiness } from './api.generated';
import { accountOf, withdrawalsOf, type Account, type Withdrawals } from './account';
import { adminOf, type Admin } from './admin';
import { createCall } from './call';
import { isPredictionMarketApiError } from './errors';
import { connecting, creatorsOf, keysOf, type ConnectOptions, type Creators, type Keys } from './keys';
import { paidOf, type Paid } from './paid';
import { marketsOf, tradesOf, type Markets, type Trades } from './markets';
import {
  connectionOf,
  type CallOptions,
  type ClientOptions,
  type ClientTimers,
  type KeyHolder,
} from './options';
import type { LiveChannel } from './live/live-messages';
import { openLive, type LiveOptions, type LiveSubscription } from './live/open-live';
import { createSharedFeed, type SharedFeed } from './live/shared-feed';
import type { WalletSigner } from './signers';

export interface PredictionMarketClient {
  /** Markets: lists, prices, candles, and how they were resolved. */
  readonly markets: Markets;
  /** Orders, and the trades of a market. */
  readonly trades: Trades;
  /** The wallet of the key. */
  readonly account: Account;
  /** Withdrawals of the wallet of the key. */
  readonly withdrawals: Withdrawals;
  /** API keys, which a wallet gets and manages by signatures. */
  readonly keys: Keys;
  /** The right of a wallet to create markets. */
  readonly creators: Creators;
  /** Calls that are paid one by one, with the option `payWith`. They need no key. */
  readonly paid: Paid;
  /** The operators' routes, with the option `adminToken`. */
  readonly admin: Admin;
  /**
   * Follows channels of the live feed: markets, trades, prices, market:<id>, account. Returns an async iterator of
   * messages. The client connects at the first `next`. `break` and the signal end the iterator. Where there is no global
   * `WebSocket`, as in Node 20, the client reads server-sent events instead, without an error. The option `WebSocket` of
   * `createClient` changes that.
   * @example
   * for await (const message of client.live(['markets', 'market:1'])) {
   *   if ('event' in message && message.event === 'trade') console.log(message.data.yesPrice);
   * }
   */
  live(channels: readonly LiveChannel[], options?: LiveOptions): LiveSubscription;
  /**
   * One live connection for all parts of an app, for packages such as `./react`. While there is neither a socket nor
   * a stream, `ask` is called every few seconds to read the data again.
   */
  sharedFeed(ask: () => Promise<void>): SharedFeed;
  /** The timers of the client, for packages such as `./react`. */
  readonly timers: ClientTimers;
  /** The key that the client carries, for packages such as `./react`. */
  readonly key: Pick<KeyHolder, 'get' | 'onChange'>;
  /**
   * Gets a challenge, lets the wallet sign it, and gets a key. The client sends the key from then on.
   * @example
   * import { Wallet } from 'ethers';
   * import { fromEthers } from 'express-prediction-market/client';
   *
   * const wallet = new Wallet(process.env.PRIVATE_KEY as string);
   * const { scopes } = await client.connectWallet(fromEthers(wallet), { label: 'bot', replace: true });
   */
  connectWallet(signer: WalletSigner, options?: ConnectOptions): Promise<IssuedKey>;
  /** Sends another key from now on, or no key. */
  useApiKey(apiKey: string | null): void;
  /** Whether the service's process answers. */
  health(options?: CallOptions): Promise<Health>;
  /** Whether storage and jobs work. If they do not, the promise resolves too. The client sends the request once. */
  ready(options?: CallOptions): Promise<Readiness>;
}

/**
 * Makes a client of the service at `baseUrl`. The client sends nothing before the first call.
 * @example
 * import { Wallet } from 'ethers';
 * import { createClient, fromEthers } from 'express-prediction-market/client';
 *
 * const client = createClient({ baseUrl: 'http://localhost:3000' });
 * await client.connectWallet(fromEthers(Wallet.createRandom()), { label: 'bot', replace: true });
 * const { available } = await client.account.balance();
 */
export function createClient(options: ClientOptions): PredictionMarketClient {
  const connection = connectionOf(options);
  const call = createCall(connection);
  const keys = keysOf(call, connection.serviceHost);
  return {
    markets: marketsOf(call),
    trades: tradesOf(call),
    account: accountOf(call),
    withdrawals: withdrawalsOf(call),
    keys,
    creators: creatorsOf(call, connection.serviceHost),
    paid: paidOf(connection, call),
    admin: adminOf(call),
    live: (channels, liveOptions = {}) =>
      openLive(channels, { apiKey: connection.key.get() ?? undefined, ...liveOptions }, connection),
    sharedFeed: (ask) => createSharedFeed({ ...connection, ask }),
    timers: connection.timers,
    key: { get: connection.key.get, onChange: connection.key.onChange },
    connectWallet: connecting(keys, connection),
    useApiKey: (apiKey) => connection.key.set(apiKey),
    health: (callOptions) => call('get', '/health', {}, callOptions),
    async ready(callOptions) {
      try {
        return await call('get', '/ready', {}, { ...callOptions, retry: { attempts: 1 } });
      } catch (error) {
        const details = Object(isPredictionMarketApiError(error) && error.details) as Partial<Readiness>;
        if (details.checks !== undefined) return details as Readiness;
        throw error;
      }
    },
  };
}
