/**
 * Every web page may call paid routes. A payment pays for one request, so a page cannot abuse a payment as a
 * credential.
 */
import type { Response } from 'express';

/** Clients such as `x402-fetch` send `Access-Control-Expose-Headers` as a request header, so it is allowed. */
const REQUEST_HEADERS = 'X-PAYMENT, PAYMENT-SIGNATURE, Content-Type, Access-Control-Expose-Headers';
const EXPOSED_HEADERS = 'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, Retry-After';
const PREFLIGHT_SECONDS = 600;

export function allowAnyOrigin(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
}

export function answerPreflight(response: Response, methods: readonly string[]): void {
  response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
  response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
}
