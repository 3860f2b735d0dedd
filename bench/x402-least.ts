/**
 * The least that a paid call can cost: an Express app that checks the signature and stores each step of the payment in
 * a transaction. It has no leases, no time limits and no check of the terms, so it is not safe for money.
 */
import express, { type Express, type Request } from 'express';
import type { MarketFeedView } from 'express-prediction-market';
import { memoryStorage } from 'express-prediction-market/storage/memory';
import { recoverTransferSigner } from '../src/crypto/signature';
import type { TransferAuthorization } from '../src/crypto/transfer-digest';
import type { PaymentRecord } from '../src/domain/payments';
import type { Address } from '../src/domain/types';
import { silentLogger } from '../src/ports/logger';
import { FEED_PATH } from './x402-payments';

interface SentPayment {
  payload: { authorization: TransferAuthorization; signature: string };
}

/** The token of the payments, as EIP-712 names it. */
export interface Token {
  name: string;
  version: string;
  chainId: number;
  verifyingContract: Address;
}

export async function leastApp(feed: MarketFeedView, token: Token): Promise<Express> {
  const storage = memoryStorage();
  await storage.open({ logger: silentLogger });

  function claim(text: string, { payload: { authorization } }: SentPayment): Promise<PaymentRecord | null> {
    const now = Date.now();
    return storage.transaction((transaction) =>
      transaction.payments.insert({
        asset: token.verifyingContract,
        payer: authorization.from.toLowerCase() as Address,
        nonce: authorization.nonce,
        status: 'claimed',
        amount: BigInt(authorization.value),
        operation: 'feed',
        fingerprint: FEED_PATH,
        payment: text,
        command: '{}',
        transaction: null,
        answer: null,
        reason: null,
        createdAt: now,
        updatedAt: now,
        leaseUntil: 0,
        leaseToken: 1,
        dueAt: now,
        attempts: 0,
        decision: null,
      }),
    );
  }

  function step(id: number, change: Partial<PaymentRecord>): Promise<void> {
    return storage.transaction(async (transaction) => {
      const stored = await transaction.payments.lock(id);
      if (stored !== null) await transaction.payments.update({ ...stored, ...change });
    });
  }

  const app = express();
  app.get(FEED_PATH, async (request, response) => {
    const text = paymentOf(request);
    const sent = JSON.parse(text) as SentPayment;
    const { authorization, signature } = sent.payload;
    const signer = recoverTransferSigner(authorization, token, signature);
    const claimed = signer === authorization.from.toLowerCase() ? await claim(text, sent) : null;
    if (claimed === null) {
      response.status(402).end();
      return;
    }
    await step(claimed.id, { status: 'submitted' });
    const body = JSON.stringify(feed);
    await step(claimed.id, { status: 'settled', answer: { status: 200, headers: {}, body } });
    const done: Partial<PaymentRecord> = { status: 'delivered', answer: null, dueAt: null };
    response.once('finish', () => void step(claimed.id, done));
    response.setHeader('PAYMENT-RESPONSE', receiptOf(authorization));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(body);
  });
  return app;
}

function paymentOf({ headers }: Request): string {
  return Buffer.from(String(headers['payment-signature']), 'base64').toString('utf8');
}

function receiptOf({ from, nonce }: TransferAuthorization): string {
  const receipt = { success: true, transaction: nonce, network: 'eip155:8453', payer: from };
  return Buffer.from(JSON.stringify(receipt)).toString('base64');
}
