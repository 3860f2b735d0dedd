import type { PredictionMarket } from 'express-prediction-market';
import { testWallet } from 'express-prediction-market/testing';
import { orderOf, type CrashOrder } from '../../crash/orders';
import { CRASH_WALLETS } from '../../crash/wallets';
import { issueKeyTo } from '../../support/sign-challenge';

export interface KeyHolder {
  address: string;
  apiKey: string;
}

const REQUEST_LIMIT_MS = 8_000;

/** The quota of each key is too high to be reached. */
export async function keyHolders(pm: PredictionMarket, names: readonly string[]): Promise<KeyHolder[]> {
  return Promise.all(
    names.map(async (name) => {
      const wallet = testWallet(name);
      const { id, apiKey } = await issueKeyTo(pm, wallet);
      await pm.updateKey({ id, rateLimit: 1_000_000 });
      return { address: wallet.address, apiKey };
    }),
  );
}

export function heldOrder(
  key: string,
  markets: readonly number[],
  holders: readonly Pick<KeyHolder, 'address'>[],
): CrashOrder {
  const order = orderOf(key, markets);
  const holder = holders[CRASH_WALLETS.indexOf(order.wallet)];
  if (holder === undefined) throw new Error(`no holder has a key for ${order.wallet}`);
  return { ...order, wallet: holder.address };
}

export interface TradeAnswer {
  status: number;
  retryAfter: string | null;
  body: { id?: number; shares?: number; code?: string };
}

export async function sendOrder(base: string, holder: KeyHolder, order: CrashOrder): Promise<TradeAnswer> {
  const { market, idempotencyKey, side, action, amount, shares } = order;
  const response = await fetch(`${base}/api/v2/public/markets/${market}/trade`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-API-Key': holder.apiKey,
      'Idempotency-Key': idempotencyKey,
    },
    body: JSON.stringify({ side, action, amount, shares }),
    signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
  });
  const body = (await response.json()) as TradeAnswer['body'];
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}
