import { clientDocuments } from '../../scripts/client-documents';
import { operationsOf, sourceOf } from '../../scripts/client-source';
import { createClient, type PredictionMarketClient, type WalletSigner } from '../../src/client/index';

const signer: WalletSigner = { address: '0x1', signMessage: () => Promise.resolve('0x2') };
const deposit = { amount: 1, reference: 'r' };

const CALLS: ((client: PredictionMarketClient) => Promise<unknown>)[] = [
  (client) => client.health(),
  (client) => client.ready(),
  ({ keys }) => keys.issue(signer),
  ({ keys }) => keys.list('0x1'),
  ({ keys }) => keys.revoke(signer, 7),
  ({ keys }) => keys.regenerate(signer, 7),
  ({ creators }) => creators.status('0x1'),
  ({ creators }) => creators.apply(signer),
  ({ markets }) => markets.list(),
  ({ markets }) => markets.get(7),
  ({ markets }) => markets.price(7),
  ({ markets }) => markets.candles(7),
  ({ markets }) => markets.resolution(7),
  ({ markets }) =>
    markets.create({ question: 'q', resolutionCriteria: 'c', resolveDate: 'd', category: 'other' }),
  ({ trades }) => trades.list(7),
  ({ trades }) => trades.place(7, { side: 'YES', amount: 1 }),
  ({ account }) => account.balance(),
  ({ account }) => account.positions(),
  ({ account }) => account.history(),
  ({ account }) => account.deposits(),
  ({ account }) => account.earnings(),
  ({ account }) => account.limits(),
  ({ withdrawals }) => withdrawals.request(1),
  ({ withdrawals }) => withdrawals.list(),
  ({ withdrawals }) => withdrawals.get(7),
  ({ paid }) => paid.info(),
  ({ paid }) => paid.feed(),
  ({ paid }) => paid.resolve({ question: 'q' }),
  ({ paid }) => paid.createMarket({ question: 'q', resolveDate: 'd', category: 'other' }),
  ({ paid }) => paid.deposit(1),
  ({ admin }) => admin.creators.list(),
  ({ admin }) => admin.creators.approve('0x1'),
  ({ admin }) => admin.creators.reject('0x1', 'r'),
  ({ admin }) => admin.creators.suspend('0x1', 'r'),
  ({ admin }) => admin.accounts.get('0x1'),
  ({ admin }) => admin.accounts.deposits('0x1'),
  ({ admin }) => admin.accounts.withdrawals('0x1'),
  ({ admin }) => admin.accounts.postings('0x1'),
  ({ admin }) => admin.accounts.deposit('0x1', deposit),
  ({ admin }) => admin.treasury.get(),
  ({ admin }) => admin.treasury.deposit(deposit),
  ({ admin }) => admin.markets.list(),
  ({ admin }) => admin.withdrawals.list(),
  ({ admin }) => admin.markets.close(7),
  ({ admin }) => admin.markets.resolve(7, { outcome: 'YES' }),
  ({ admin }) => admin.markets.resolution(7),
  ({ admin }) => admin.markets.retryResolution(7),
  ({ admin }) => admin.resolutions.list(),
  ({ admin }) => admin.keys.list('0x1'),
  ({ admin }) => admin.keys.update(7, { rateLimit: 1 }),
  ({ admin }) => admin.keys.revoke(7),
  ({ admin }) => admin.payments.list(),
  ({ admin }) => admin.payments.confirm(7, { reason: 'r' }),
  ({ admin }) => admin.payments.reject(7, { reason: 'r' }),
  ({ admin }) => admin.withdrawals.confirm(7, '0x3'),
  ({ admin }) => admin.withdrawals.fail(7, 'r'),
  ({ admin }) => admin.webhooks.create({ url: 'u' }),
  ({ admin }) => admin.webhooks.list(),
  ({ admin }) => admin.webhooks.remove(7),
  ({ admin }) => admin.webhooks.deliveries(7),
  ({ admin }) => admin.webhooks.enable(7),
  ({ admin }) => admin.webhooks.replay(7, 1),
  ({ admin }) => admin.webhooks.rotate(7),
  ({ admin }) => admin.consumers.list(),
  ({ admin }) => admin.consumers.remove('c'),
  ({ admin }) => admin.consumers.resume('c', { from: 'now' }),
  ({ admin }) => admin.consumers.parked('c'),
  ({ admin }) => admin.consumers.redo('c'),
  ({ admin }) => admin.consumers.skip('c', 'f'),
  ({ admin }) => admin.log.list(),
  ({ admin }) => admin.alarms(),
  ({ admin }) => admin.audit(),
];

it('every operation has a method, and every method calls an operation', async () => {
  const { callers, operators } = await clientDocuments();
  const operations = operationsOf(callers, operators);
  const called = new Set<string>();
  const source = JSON.parse(sourceOf(callers, operators)) as Source;
  const client = createClient({
    baseUrl: 'http://market.test',
    fetch: (input, init) => {
      const path = (input as string).replace('http://market.test/api/v2', '').split('?')[0];
      const made = `${init?.method?.toLowerCase() ?? ''} ${path}`;
      called.add(made);
      if (path === '/auth/challenge') return Promise.resolve(challengeFor(init));
      const [method = '', template = ''] = operations.find((each) => matches(each, made))?.split(' ') ?? [];
      return Promise.resolve(new Response(JSON.stringify(promised(source, method, template))));
    },
  });
  for (const call of CALLS) await call(client);
  const templates = [...called].map(
    (made) => operations.find((operation) => matches(operation, made)) ?? made,
  );
  expect(templates.sort()).toEqual(operations);
});

function challengeFor(init: RequestInit | undefined): Response {
  const { address, action } = JSON.parse(init?.body as string) as Record<string, string>;
  const lines = ['Market', `Action: ${action}`, `Address: ${address}`, 'Nonce: 1', 'Timestamp: 1'];
  return Response.json({ success: true, data: { nonce: '1', message: lines.join('\n') } });
}

interface Schema {
  $ref?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  type?: string;
}

interface Source {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }>
  >;
  components: { schemas: Record<string, Schema> };
}

function promised(source: Source, method: string, template: string): unknown {
  const responses = Object.entries(source.paths[template]?.[method]?.responses ?? {});
  const success = responses.find(([status]) => status.startsWith('2'))?.[1];
  return sample(source, success?.content?.['application/json']?.schema ?? {});
}

function sample(source: Source, { $ref, required = [], properties = {}, type }: Schema): unknown {
  if ($ref !== undefined)
    return sample(source, source.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
  if (type === 'array') return [];
  if (type !== 'object') return 'text';
  return Object.fromEntries(required.map((name) => [name, sample(source, properties[name] ?? {})]));
}

function matches(operation: string, made: string): boolean {
  const filled = operation.replace('{address}', '0x1').replace('{id}', '7').replace('{name}', 'c');
  return filled === made;
}
