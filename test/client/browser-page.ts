import {
  createClient,
  fromEip1193,
  type LiveMessage,
  type PredictionMarketClient,
} from '../../src/client/index';

export interface Setting {
  adminToken: string;
  resolveDate: string;
}

export interface Life {
  yesPrice: number;
  shares: number;
  /** One entry for each live message: the name of its event, or its `type` if the message is no event. */
  followed: string[];
  available: number;
}

/** The process of the test answers these calls, because only that process has the keys of the wallets. */
type AskWallet = (name: string, method: string, params: unknown) => Promise<unknown>;

const page = globalThis as unknown as { askWallet: AskWallet; liveOf(setting: Setting): Promise<Life> };

async function connected(name: string): Promise<{ client: PredictionMarketClient; address: string }> {
  const client = createClient({ baseUrl: '' });
  const signer = fromEip1193({ request: ({ method, params }) => page.askWallet(name, method, params) });
  await client.connectWallet(signer, { label: name });
  if (name === 'creator') await client.creators.apply(signer, { displayName: 'Weather office' });
  const { address } = await client.account.balance();
  return { client, address };
}

function nameOf(message: LiveMessage): string {
  return message.type === 'event' ? message.event : message.type;
}

page.liveOf = async ({ adminToken, resolveDate }) => {
  const operator = createClient({ baseUrl: '', adminToken });
  const creator = await connected('creator');
  await operator.admin.creators.approve(creator.address);
  await operator.admin.treasury.deposit({ amount: 1_000, reference: 'capital' });
  const question = {
    question: 'Will it rain?',
    resolutionCriteria: 'As measured.',
    category: 'science',
  } as const;
  const { id } = await creator.client.markets.create({ ...question, resolveDate });

  const { client, address } = await connected('trader');
  await operator.admin.accounts.deposit(address, { amount: 100, reference: 'transfer 1' });
  const followed: string[] = [];
  let shares = 0;
  for await (const message of client.live([`market:${id}`])) {
    const name = nameOf(message);
    followed.push(name);
    if (name === 'snapshot')
      ({ shares } = await client.trades.place(id, { side: 'YES', amount: 10, maxPrice: 0.6 }));
    if (name === 'trade') await operator.admin.markets.resolve(id, { outcome: 'YES', note: 'It rained.' });
    if (name === 'market.resolved') break;
  }
  const { yesPrice } = await client.markets.get(id);
  return { yesPrice, shares, followed, available: (await client.account.balance()).available };
};
