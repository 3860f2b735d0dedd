import type { Config } from '../../config';
import { checksumAddress } from '../../crypto/address';
import { microsToUsd } from '../../domain/money';
import type { PaymentNonces } from '../../usecases/payments/payment-nonces';
import { jsonSchemaOf } from '../openapi/schema';
import { API_PREFIX } from '../prefix';
import { defineRoute, type Route } from '../route';
import { shortRequirements } from './payment-required';
import type { PaidRoute } from './paid-route';

export function infoRoute(config: Config, nonces: PaymentNonces, paid: readonly PaidRoute[]): Route {
  const endpoints = paid.map((entry) => ({ ...entry, facts: factsOf(entry) }));
  return defineRoute({
    method: 'get',
    path: '/x402/info',
    summary: 'The pay-per-request endpoints, their prices and current payment requirements',
    group: 'x402',
    success: { status: 200, view: 'PaymentInfo' },
    errors: [],
    handler: () => ({
      x402Versions: [1, 2],
      currency: 'USDC',
      network: config.network,
      asset: checksumAddress(config.asset),
      assetName: config.assetName,
      assetVersion: config.assetVersion,
      payTo: checksumAddress(config.payTo),
      endpoints: endpoints.map(({ route, amount, facts }) => ({
        ...facts,
        requirements: amount === null ? null : currentRequirements(config, nonces, route, amount),
      })),
    }),
  });
}

function factsOf({ route, amount }: PaidRoute): object {
  const input = route.query ?? route.body;
  return {
    method: route.method.toUpperCase(),
    path: API_PREFIX + route.path,
    price: amount === null ? null : microsToUsd(amount),
    amount: amount === null ? null : String(amount),
    description: route.summary,
    input: input === undefined ? {} : jsonSchemaOf(input),
  };
}

function currentRequirements(config: Config, nonces: PaymentNonces, route: Route, amount: bigint): object {
  const scope = { method: route.method.toUpperCase(), path: route.path, amount };
  return { ...shortRequirements(config, amount), nonce: nonces.issue(scope) };
}
