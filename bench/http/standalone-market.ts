import { Wallet } from 'ethers';
import { signChallenge, type Challenge } from '../../test/support/sign-challenge';
import { MARKETS, type ServerInfo } from './calls';

const HOUR_MS = 3_600_000;

export async function openMarket(base: string, adminToken: string): Promise<ServerInfo> {
  const call = async <Answer>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: object,
  ): Promise<Answer> => {
    const response = await fetch(`${base}/api/v2${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { data?: Answer } & Answer;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.data ?? answer;
  };
  const operator = { authorization: `Bearer ${adminToken}` };
  const wallet = Wallet.createRandom();
  const { address } = wallet;
  const ask = (): Promise<Challenge> => call('POST', '/auth/challenge', {}, { address, action: 'issue' });
  const signed = await signChallenge(wallet, ask);
  const key = await call<{ apiKey: string; id: string }>('POST', '/auth/token', {}, signed);
  await call('PATCH', `/admin/keys/${key.id}`, operator, { rateLimit: 1_000_000 });
  await call('POST', `/admin/creators/${address}/approve`, operator, {});
  await call('POST', `/admin/accounts/${address}/deposits`, operator, {
    amount: 1_000_000_000,
    // The reference contains the address, because two servers of a bench may share a database.
    reference: `bench ${address}`,
  });
  let marketId = 0;
  for (let index = 0; index < MARKETS; index += 1) {
    const body = {
      question: `Will bench ${index} finish?`,
      resolutionCriteria: 'It finishes.',
      resolveDate: new Date(Date.now() + 48 * HOUR_MS).toISOString(),
      category: 'other',
    };
    const headers = { 'x-api-key': key.apiKey };
    marketId = (await call<{ id: number }>('POST', '/public/markets', headers, body)).id;
  }
  return { port: Number(new URL(base).port), apiKey: key.apiKey, marketId };
}
