/**
 * The bodies of the standard facilitator protocol, versions 1 and 2, scheme `exact` with EIP-3009
 * authorizations.
 */
import { parseSignature } from '../../../src/crypto/signature';
import { networkName } from '../../../src/domain/x402-networks';
import type { Payment, PaymentRequirements, SupportedKind } from '../../../src/ports/facilitator';

export type X402Version = 1 | 2;

/** The versions in which a facilitator takes `exact` payments on the network (CAIP-2). */
export function versionsFor(network: string, kinds: readonly SupportedKind[]): Set<X402Version> {
  const names = new Set([network, networkName(network), network.replace(/:.*$/, ':*')]);
  return new Set(
    kinds
      .filter((kind) => kind.scheme === 'exact' && names.has(kind.network))
      .map((kind) => kind.x402Version),
  );
}

/**
 * The version in which the payer wrote the payment, if the facilitator takes it. Otherwise the newest version
 * that the facilitator takes. `null` when it takes no version.
 */
export function chooseVersion(form: Payment['form'], taken: ReadonlySet<X402Version>): X402Version | null {
  const written = writtenVersion(form);
  if (written !== null && taken.has(written)) return written;
  if (taken.has(2)) return 2;
  return taken.has(1) ? 1 : null;
}

/**
 * The version in which the payer wrote the payment. `null` for the flat form, which is no version of the
 * protocol (docs/specification.md "Payment forms").
 */
export function writtenVersion(form: Payment['form']): X402Version | null {
  return form === 'flat' ? null : form === 'v1' ? 1 : 2;
}

export function requestBody(
  payment: Payment,
  requirements: PaymentRequirements,
  version: X402Version,
): object {
  return version === 1 ? bodyV1(payment, requirements) : bodyV2(payment, requirements);
}

function bodyV1(payment: Payment, requirements: PaymentRequirements): object {
  const { resource } = requirements;
  const kind = { scheme: 'exact', network: networkName(requirements.network) };
  return {
    x402Version: 1,
    paymentPayload: { x402Version: 1, ...kind, payload: exactPayload(payment) },
    paymentRequirements: {
      ...kind,
      maxAmountRequired: requirements.amount,
      resource: resource.url,
      description: resource.description,
      mimeType: resource.mimeType,
      payTo: requirements.payTo,
      maxTimeoutSeconds: requirements.maxTimeoutSeconds,
      asset: requirements.asset,
      extra: { name: requirements.assetName, version: requirements.assetVersion },
    },
  };
}

function bodyV2(payment: Payment, requirements: PaymentRequirements): object {
  const accepted = {
    scheme: 'exact',
    network: requirements.network,
    asset: requirements.asset,
    amount: requirements.amount,
    payTo: requirements.payTo,
    maxTimeoutSeconds: requirements.maxTimeoutSeconds,
    extra: { name: requirements.assetName, version: requirements.assetVersion },
  };
  const { url, description, mimeType } = requirements.resource;
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url, description, mimeType },
      accepted,
      payload: exactPayload(payment),
    },
    paymentRequirements: accepted,
  };
}

function exactPayload({ authorization }: Payment): object {
  const { from, to, value, validAfter, validBefore, nonce, signature } = authorization;
  return {
    // Token contracts accept only 27 and 28 as the `v` of a signature. Some wallets write 0 and 1 instead.
    signature: parseSignature(signature)?.normalized ?? signature,
    authorization: { from, to, value, validAfter, validBefore, nonce },
  };
}

// --- Readers of answers. They return `null` for a body that has another form or names another payer. ---

export type VerifyAnswer = { isValid: true } | { isValid: false; reason: string };
export type SettleAnswer =
  { success: true; transaction: string } | { success: false; reason: string; transaction: string };

export function readVerifyAnswer(body: unknown, { authorization }: Payment): VerifyAnswer | null {
  if (!isRecord(body) || typeof body.isValid !== 'boolean') return null;
  if (!body.isValid) return { isValid: false, reason: textOr(body.invalidReason, 'unspecified') };
  return isAnotherPayer(body.payer, authorization.from) ? null : { isValid: true };
}

const TRANSACTION_HASH = /^0x[0-9a-fA-F]{64}$/;

export function readSettleAnswer(body: unknown, { authorization }: Payment): SettleAnswer | null {
  if (!isRecord(body) || typeof body.success !== 'boolean') return null;
  const transaction = textOr(body.transaction, '');
  if (!body.success) return { success: false, reason: textOr(body.errorReason, 'unspecified'), transaction };
  if (!TRANSACTION_HASH.test(transaction) || isAnotherPayer(body.payer, authorization.from)) return null;
  return { success: true, transaction };
}

/** The kinds that can be read. `null` if there is none. */
export function readSupportedAnswer(body: unknown): SupportedKind[] | null {
  if (!isRecord(body) || !Array.isArray(body.kinds)) return null;
  const kinds = body.kinds.flatMap((kind: unknown): SupportedKind[] => {
    if (!isRecord(kind)) return [];
    const { x402Version, scheme, network } = kind;
    if ((x402Version !== 1 && x402Version !== 2) || typeof scheme !== 'string' || typeof network !== 'string')
      return [];
    return [{ x402Version, scheme, network }];
  });
  return kinds.length === 0 ? null : kinds;
}

function isAnotherPayer(payer: unknown, from: string): boolean {
  return typeof payer === 'string' && payer !== '' && payer.toLowerCase() !== from.toLowerCase();
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
