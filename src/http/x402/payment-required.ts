/**
 * The 402 answer: a body for clients of the flat form and of x402 version 1, and a header for clients of
 * version 2.
 */
import type { Config } from '../../config';
import type { PredictionMarketError } from '../../domain/errors';
import { checksumAddress } from '../../crypto/address';
import type { PaymentRequirements, PaymentResource } from '../../ports/facilitator';
import { PAYMENT_WINDOW_SECONDS } from '../../usecases/payments/payment-nonces';
import { refusalView } from '../../views/refusal';
import { remembersLast } from '../remember-last';
import { JSON_TYPE, RawAnswer } from '../send';
import { networkName } from '../../domain/x402-networks';

/** `amount` is in base units. */
export function requirementsOf(
  config: Config,
  amount: bigint,
  resource: PaymentResource,
): PaymentRequirements {
  return {
    ...shortRequirements(config, amount),
    asset: checksumAddress(config.asset),
    assetName: config.assetName,
    assetVersion: config.assetVersion,
    maxTimeoutSeconds: PAYMENT_WINDOW_SECONDS,
    resource,
  };
}

/** The requirements in the flat form, without the nonce. */
export function shortRequirements({ network, payTo }: Config, amount: bigint) {
  return { amount: String(amount), currency: 'USDC', network, payTo: checksumAddress(payTo) } as const;
}

export type PaymentRequiredWriter = (error: PredictionMarketError, nonce: string) => RawAnswer;

/**
 * Returns a function that writes the 402 answers for these requirements. The parts that all answers share are
 * written once.
 */
export function paymentRequiredWriter(requirements: PaymentRequirements): PaymentRequiredWriter {
  const { amount, currency, network, payTo } = requirements;
  const terms = inner({ amount, currency, network, payTo });
  const offer = inner({ x402Version: 1, accepts: [versionOneRequirements(requirements)] });
  const headerOf = remembersLast((message: string) => base64Json(versionTwoAnswer(message, requirements)));
  return (error, nonce) => {
    const body = `{${inner(refusalView(error))},${terms},"nonce":"${nonce}",${offer}}`;
    const headers = { 'PAYMENT-REQUIRED': headerOf(error.message), ...retryAfterHeader(error) };
    return new RawAnswer(402, JSON_TYPE, body, headers);
  };
}

/** Present only while the service still works on the payment: the client may then send the payment again. */
const retryAfterHeader = ({ retryAfterSeconds: seconds }: PredictionMarketError): Record<string, string> =>
  seconds === undefined ? {} : { 'Retry-After': String(seconds) };

/** The members of an object as JSON, without the braces. */
function inner(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

function versionOneRequirements(requirements: PaymentRequirements): object {
  const { amount, network, payTo, asset, assetName, assetVersion, maxTimeoutSeconds, resource } =
    requirements;
  return {
    scheme: 'exact',
    network: networkName(network),
    maxAmountRequired: amount,
    resource: resource.url,
    description: resource.description,
    mimeType: resource.mimeType,
    payTo,
    maxTimeoutSeconds,
    asset,
    extra: { name: assetName, version: assetVersion },
  };
}

function versionTwoAnswer(error: string, requirements: PaymentRequirements): object {
  const { amount, network, payTo, asset, assetName, assetVersion, maxTimeoutSeconds, resource } =
    requirements;
  const extra = { name: assetName, version: assetVersion };
  return {
    x402Version: 2,
    error,
    resource,
    accepts: [{ scheme: 'exact', network, amount, asset, payTo, maxTimeoutSeconds, extra }],
  };
}

export function base64Json(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
