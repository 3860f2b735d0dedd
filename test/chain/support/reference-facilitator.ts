/**
 * The code of this facilitator is from the authors of the protocol, so a test against it can show mistakes of ours.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { close, listen, send } from '../../facilitator/support/facilitator-server';

type Facilitator = x402Facilitator;
type Payload = Parameters<Facilitator['verify']>[0];
type Requirements = Parameters<Facilitator['verify']>[1];

export async function startReferenceFacilitator(
  rpcUrl: string,
  privateKey: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const facilitator = reference(rpcUrl, privateKey as `0x${string}`);
  const server = createServer((request, response) => {
    answer(facilitator, request)
      .then((body) => send(response, 200, body))
      .catch((error: unknown) => send(response, 500, { error: String(error) }));
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close: () => close(server) };
}

function reference(rpcUrl: string, privateKey: `0x${string}`): Facilitator {
  const account = privateKeyToAccount(privateKey);
  const transport = http(rpcUrl);
  const client = createWalletClient({ account, chain: base, transport, pollingInterval: 20 }).extend(
    publicActions,
  );
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    getCode: (parameters) => client.getCode(parameters),
    readContract: (parameters) => client.readContract({ ...parameters, args: parameters.args ?? [] }),
    sendTransaction: (parameters) => client.sendTransaction(parameters),
    verifyTypedData: (parameters) =>
      client.verifyTypedData(parameters as Parameters<typeof client.verifyTypedData>[0]),
    waitForTransactionReceipt: ({ hash }) => client.waitForTransactionReceipt({ hash }),
    writeContract: ({ address, abi, functionName, args }) =>
      client.writeContract({ address, abi, functionName, args }),
  });
  return registerExactEvmScheme(new x402Facilitator(), { signer, networks: 'eip155:8453' });
}

async function answer(facilitator: Facilitator, request: IncomingMessage): Promise<unknown> {
  if (request.url === '/supported') return facilitator.getSupported();
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as {
    paymentPayload: Payload;
    paymentRequirements: Requirements;
  };
  const { paymentPayload, paymentRequirements } = body;
  return request.url === '/verify'
    ? facilitator.verify(paymentPayload, paymentRequirements)
    : facilitator.settle(paymentPayload, paymentRequirements);
}
