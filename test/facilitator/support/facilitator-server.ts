import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  Facilitator,
  Payment,
  PaymentRequirements,
  SupportedKind,
} from '../../../src/ports/facilitator';
import type { Garbage, LostAnswer } from '../../../testing';
import type { SilentForm } from '../../../testing/conformance/silence';
import { sendHalf } from '../../support/half-body';

export const GARBAGE: Readonly<Record<Garbage, string>> = {
  nonsense: '{"hello":"world"}',
  malformed: '{"success": tr\0',
};

export interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

/** Returns `true` if the interception has answered in place of the facilitator. */
export type Interception = (path: string, response: ServerResponse) => boolean;

export interface FacilitatorServer {
  url: string;
  seen: SeenRequest[];
  intercept(interception: Interception | null): void;
  /**
   * Returns `false` if this kind of loss is impossible. With `late`, the returned function carries the settlement
   * out.
   */
  loseAnswer(how: LostAnswer, status?: number): false | (() => Promise<void>);
  failWith(status: number): () => Promise<void>;
  redirect(address: string): () => Promise<void>;
  silence(form: SilentForm): () => Promise<void>;
  /** Requests are carried out, and `nonsense(body)` is sent in place of each answer. */
  garble(nonsense: (body: string) => string): () => Promise<void>;
  close(): Promise<void>;
}

interface ProtocolBody {
  x402Version: number;
  paymentPayload: {
    x402Version: number;
    scheme?: string;
    network?: string;
    accepted?: { scheme: string; network: string };
    payload: { signature: string; authorization: Omit<Payment['authorization'], 'signature'> };
  };
  paymentRequirements: {
    scheme: string;
    network: string;
    amount?: string;
    maxAmountRequired?: string;
    payTo: string;
    asset: string;
    maxTimeoutSeconds: number;
    resource?: string;
    extra: { name: string; version: string };
  };
}

const CODES: Record<string, string> = {
  recipient_mismatch: 'invalid_exact_evm_payload_recipient_mismatch',
  amount_mismatch: 'invalid_exact_evm_payload_authorization_value',
  not_yet_valid: 'invalid_exact_evm_payload_authorization_valid_after',
  expired: 'invalid_exact_evm_payload_authorization_valid_before',
  invalid_signature: 'invalid_exact_evm_payload_signature',
};

export async function startFacilitatorServer(
  backing: Facilitator,
  versions: readonly (1 | 2)[] = [1, 2],
): Promise<FacilitatorServer> {
  const seen: SeenRequest[] = [];
  let interception: Interception | null = null;
  let lost: LostAnswer | null = null;
  let lostStatus = 502;
  let late = async (): Promise<void> => undefined;
  let spoil = asItIs;
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      send(response, 500, { error: String(error) });
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const text = await readAll(request);
    const body: unknown = text === '' ? null : JSON.parse(text);
    seen.push({ path, headers: request.headers, body });
    if (interception?.(path, response) === true) return;
    if (path === '/supported')
      return sendSpoilt(response, { kinds: kindsOf(versions), extensions: [], signers: {} });
    const { payment, requirements, fault } = read(body as ProtocolBody, versions);
    const operation = path === '/verify' ? verify : settle;
    if (lost === 'late' && operation === settle) {
      lost = null;
      late = async () => void (await settle(backing, payment, requirements, fault));
      return void response.destroy();
    }
    const result = await operation(backing, payment, requirements, fault);
    if (lost === null || operation !== settle) return sendSpoilt(response, result);
    const how = lost;
    lost = null;
    if (how === 'cut') response.destroy();
    if (how === 'error') send(response, lostStatus, '<html>bad gateway</html>');
    if (how === 'nonsense' || how === 'malformed') send(response, 200, GARBAGE[how]);
  }

  function sendSpoilt(response: ServerResponse, body: object): void {
    send(response, 200, spoil(JSON.stringify(body)));
  }

  function instead(respond: (response: ServerResponse) => void): () => Promise<void> {
    interception = (_path, response) => {
      respond(response);
      return true;
    };
    return async () => void (interception = null);
  }

  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    intercept: (next) => void (interception = next),
    loseAnswer(how, status = 502) {
      lostStatus = status;
      // A server that answers 401 or 429 has not carried the request out.
      if (how === 'denied' || status === 429) return false;
      lost = how;
      return () => late();
    },
    failWith: (status) =>
      instead((response) => {
        send(response, status, { error: 'busy' });
      }),
    redirect: (address) =>
      instead((response) => {
        response.writeHead(307, { location: address }).end();
      }),
    silence: (form) =>
      instead((response) => {
        if (form === 'halfBody') sendHalf(response, JSON.stringify({ kinds: kindsOf(versions) }));
      }),
    garble(nonsense) {
      spoil = nonsense;
      return async () => void (spoil = asItIs);
    },
    close: () => close(server),
  };
}

const asItIs = (body: string): string => body;

function kindsOf(versions: readonly (1 | 2)[]): SupportedKind[] {
  return versions.map((x402Version) => ({
    x402Version,
    scheme: 'exact',
    network: x402Version === 1 ? 'base' : 'eip155:8453',
  }));
}

function read(
  { x402Version, paymentPayload, paymentRequirements: asked }: ProtocolBody,
  versions: readonly number[],
): { payment: Payment; requirements: PaymentRequirements; fault: string | null } {
  const isFirst = x402Version === 1;
  const kind = isFirst ? paymentPayload : paymentPayload.accepted;
  const network = isFirst ? 'base' : 'eip155:8453';
  const amount = isFirst ? asked.maxAmountRequired : asked.amount;
  const wellFormed =
    paymentPayload.x402Version === x402Version &&
    [kind, asked].every((part) => part?.scheme === 'exact' && part.network === network);
  const { signature, authorization } = paymentPayload.payload;
  return {
    payment: { form: isFirst ? 'v1' : 'v2', authorization: { ...authorization, signature } },
    requirements: {
      amount: amount ?? '',
      currency: 'USDC',
      network: 'eip155:8453',
      payTo: asked.payTo,
      asset: asked.asset,
      assetName: asked.extra.name,
      assetVersion: asked.extra.version,
      maxTimeoutSeconds: asked.maxTimeoutSeconds,
      resource: { url: asked.resource ?? '', description: '', mimeType: '' },
    },
    fault: !versions.includes(x402Version)
      ? 'invalid_x402_version'
      : wellFormed && amount !== undefined
        ? null
        : 'invalid_payload',
  };
}

type Operation = (
  backing: Facilitator,
  payment: Payment,
  requirements: PaymentRequirements,
  fault: string | null,
) => Promise<object>;

const verify: Operation = async (backing, payment, requirements, fault) => {
  const payer = payment.authorization.from;
  if (fault !== null) return { isValid: false, invalidReason: fault, payer };
  const result = await backing.verify(payment, requirements);
  return result.status === 'valid'
    ? { isValid: true, payer }
    : { isValid: false, invalidReason: codeOf(result), payer };
};

const settle: Operation = async (backing, payment, requirements, fault) => {
  const about = { payer: payment.authorization.from, network: requirements.network };
  if (fault !== null) return { success: false, errorReason: fault, transaction: '', ...about };
  const result = await backing.settle(payment, requirements);
  return result.status === 'settled'
    ? { success: true, transaction: result.transaction, ...about }
    : { success: false, errorReason: codeOf(result), transaction: '', ...about };
};

function codeOf(result: { status: string; reason?: string }): string {
  if (result.status === 'insufficient_funds') return 'invalid_exact_evm_insufficient_balance';
  if (result.status === 'spent') return 'invalid_exact_evm_nonce_already_used';
  return CODES[result.reason ?? ''] ?? result.reason ?? 'invalid_payload';
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
