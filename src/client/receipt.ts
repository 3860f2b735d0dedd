/** Receipts of paid calls, and base64 of JSON, which is the form of x402 headers. */

/** The receipt of a payment, as the service sends it with its answer. */
export interface Receipt {
  /** Whether the money has moved. */
  success: boolean;
  /** The hash of the transaction. */
  transaction: string;
  /** The network of the payment. */
  network: string;
  /** The address that has paid. */
  payer: string;
}

export function receiptOf(headers: Headers | null): Receipt | null {
  const text = headers?.get('payment-response') ?? headers?.get('x-payment-response') ?? null;
  if (text === null) return null;
  try {
    return JSON.parse(atob(text)) as Receipt;
  } catch {
    return null;
  }
}

/** The texts in `value` must be ASCII. Of other characters, `btoa` would not write the bytes of UTF-8. */
export function base64Json(value: object): string {
  return btoa(JSON.stringify(value));
}
