import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listOf } from '../conformance/check';
import { tellsSecret } from '../conformance/secrets';
import { checkRecovered } from './answers';
import { checkUndecided, known, type OracleTest } from './suite';

/** The sources redirect the oracle to a server of the suite, which looks for secrets in what it gets. */
export async function redirectTest(t: OracleTest): Promise<void> {
  const { redirect, secrets } = t.made;
  if (!t.check.given('redirect', redirect, 'makes the sources answer with a redirect')) return;
  const stranger = await openStranger();
  try {
    await known(t, 'YES');
    const restore = await redirect(stranger.address);
    checkUndecided(t, await t.ask(), 'knows', 'sources that redirect to another server');
    await restore();
    if (stranger.got().some((request) => tellsSecret(request, listOf(secrets))))
      t.check.by('redirect').fail('a secret in the request to the address of a redirect');
    await checkRecovered(t, 'after a redirect');
  } finally {
    await stranger.close();
  }
}

async function openStranger() {
  const got: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push([request.url, ...request.rawHeaders, Buffer.concat(chunks).toString()].join('\n'));
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/elsewhere`,
    got: () => got,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
