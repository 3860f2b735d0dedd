/**
 * A test environment can replace `globalThis.Uint8Array` by a class that Node's `Buffer` does not extend. These
 * tests replace it too, and load the modules afterwards.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { runInNewContext } from 'node:vm';

const ofNode = globalThis.Uint8Array;
const closings: (() => unknown)[] = [];
beforeAll(() => {
  globalThis.Uint8Array = runInNewContext('Uint8Array') as Uint8ArrayConstructor;
});
afterAll(async () => {
  for (const close of closings) await close();
  globalThis.Uint8Array = ofNode;
});

it('the exchange is real: a Buffer is no Uint8Array', () => {
  expect(Buffer.alloc(1) instanceof Uint8Array).toBe(false);
});

it('a market for tests gives keys, takes orders and payments where a Buffer is no Uint8Array', async () => {
  const { default: express } = await import('express');
  const { createClient, fromEthers } = await import('express-prediction-market/client');
  const { developmentFacilitator } = await import('express-prediction-market/facilitator/development');
  const { createTestMarket } = await import('express-prediction-market/testing');
  const market = await createTestMarket({ facilitator: developmentFacilitator() });
  const server = express().use(market.pm.router).listen(0, '127.0.0.1');
  closings.push(
    () => market.pm.closeConnections(),
    () => server.close(),
    () => market.close(),
  );
  await once(server, 'listening');
  const alice = market.wallet('alice');
  await market.fund(alice, 100);
  const { id } = await market.createMarket();
  const timers = { now: market.clock.now, after: () => () => undefined };
  const client = createClient({
    ...{ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, timers },
    ...{ apiKey: await market.apiKey(alice), payWith: fromEthers(alice), maxPayment: 5 },
  });

  expect(await client.trades.place(id, { side: 'YES', amount: 10 })).toMatchObject({ balance: 90 });
  expect((await client.paid.deposit(5)).answer).toMatchObject({ amount: 5 });
});

it.each(['active', 'pure'])('the %s code recovers signers where a Buffer is no Uint8Array', async (which) => {
  const { activeCurve, recoverPublicKeyPure } = await import('../../src/crypto/curve');
  const { keccak256Pure } = await import('../../src/crypto/keccak');
  const { createSignerRecovery } = await import('../../src/crypto/signature');
  const { testWallet } = await import('../../testing/test-wallets');
  const recover = which === 'pure' ? recoverPublicKeyPure : activeCurve().recoverPublicKey;
  const wallet = testWallet('alice');
  const signature = await wallet.signMessage('hello');
  const signer = createSignerRecovery(recover).recoverPersonalSigner('hello', signature);
  expect(signer).toBe(wallet.address.toLowerCase());
  expect(keccak256Pure(Buffer.alloc(0)).toString('hex')).toMatch(/^c5d24601/);
});
