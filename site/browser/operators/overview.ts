/** What waits for a person, the money of the house, and whether the server works. */
import type { PredictionMarketClient } from '../../../src/client';
import { element } from '../dom';
import { auditPanel } from './audit';
import { isOffered, samplesPanel } from './samples';
import type { HostCall } from './session';
import { facts, muted, pageLink, panel, tag } from './parts';
import { treasuryFacts } from './treasury';
import { whenRead } from './when-read';

type Admin = PredictionMarketClient['admin'];

interface Waiting {
  title: string;
  path: string;
  /** `atLeast`: the page has not read all rows, so there may be more. */
  count: (admin: Admin) => Promise<{ count: number; atLeast?: boolean }>;
}

const MOST_LISTED = 100;
const one = { limit: 1 } as const;

const resolutions =
  (status: 'escalated' | 'stalled' | 'proposed') =>
  async ({ resolutions: { list } }: Admin): Promise<{ count: number }> => ({
    count: (await list({ status, ...one })).total,
  });

const WAITING: readonly Waiting[] = [
  {
    title: 'Applications of creators',
    path: '/operators/creators',
    count: async ({ creators }) => ({ count: (await creators.list({ status: 'pending', ...one })).total }),
  },
  {
    title: 'Closed markets that are not decided',
    path: '/operators/markets?status=resolving',
    count: async ({ markets }) => ({ count: (await markets.list({ status: 'resolving', ...one })).total }),
  },
  {
    title: 'Markets that the oracle leaves to an operator',
    path: '/operators/markets?status=escalated',
    count: resolutions('escalated'),
  },
  {
    title: 'Markets whose oracle does not answer',
    path: '/operators/markets?status=stalled',
    count: resolutions('stalled'),
  },
  {
    title: 'Proposals that wait to be carried out',
    path: '/operators/markets?status=proposed',
    count: resolutions('proposed'),
  },
  {
    title: 'Payments whose outcome is not known',
    path: '/operators/money',
    async count({ payments }) {
      const answer = await payments.list({ status: 'submitted', limit: MOST_LISTED });
      return { count: answer.payments.length, atLeast: answer.hasMore };
    },
  },
  {
    title: 'Withdrawals that are open',
    path: '/operators/money',
    async count({ withdrawals }) {
      const answer = await withdrawals.list({ limit: MOST_LISTED });
      return { count: answer.withdrawals.length, atLeast: answer.hasMore };
    },
  },
  {
    title: 'Consumers that are stopped or have put facts aside',
    path: '/operators/feeds',
    async count({ consumers }) {
      const stuck = (await consumers.list()).consumers.filter(
        ({ status, parked }) => status === 'stopped' || parked > 0,
      );
      return { count: stuck.length };
    },
  },
  {
    title: 'Webhooks that are disabled or have lost facts',
    path: '/operators/feeds',
    async count({ webhooks }) {
      const answer = await webhooks.list({ limit: MOST_LISTED });
      const stuck = answer.webhooks.filter(({ status, lost }) => status === 'disabled' || lost !== null);
      return { count: stuck.length, atLeast: answer.total > MOST_LISTED };
    },
  },
];

export function overviewView(client: PredictionMarketClient, host: HostCall): HTMLElement[] {
  return [
    ...(isOffered() ? [samplesPanel(host)] : []),
    panel('Waiting for a person', waitingList(client.admin)),
    panel('The house', whenRead(drawTreasury(client.admin))),
    panel('The server', whenRead(drawHealth(client))),
    auditPanel(client),
  ];
}

function waitingList(admin: Admin): HTMLElement {
  const rows = WAITING.map(({ title, path, count }) => {
    const figure = count(admin).then(({ count: found, atLeast = false }) =>
      found === 0 ? muted('none') : tag(`${found}${atLeast ? ' or more' : ''}`, 'resolving'),
    );
    return element('li', {}, pageLink(path, title), whenRead(figure));
  });
  return element('ul', { class: 'operators-waiting' }, ...rows);
}

async function drawTreasury({ treasury }: Admin): Promise<HTMLElement> {
  return treasuryFacts(await treasury.get());
}

async function drawHealth(client: PredictionMarketClient): Promise<HTMLElement> {
  const { status, checks } = await client.ready();
  const said = (works: boolean): HTMLElement =>
    works ? tag('works', 'open') : tag('does not work', 'resolving');
  return facts([
    ['Ready for requests', status === 'ready' ? tag('yes', 'open') : tag('no', 'resolving')],
    ['Storage', said(checks.storage)],
    ['Jobs', said(checks.jobs)],
  ]);
}
