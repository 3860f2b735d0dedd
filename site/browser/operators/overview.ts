/** What waits for a person, the money of the house, and whether the server works. */
import type { PredictionMarketClient } from '../../../src/client';
import { element, usd, type Child } from '../page';
import { auditPanel } from './audit';
import { explain, noticeRefusal } from './failures';
import { facts, muted, pageLink, panel, tag } from './parts';

type Admin = PredictionMarketClient['admin'];

interface Waiting {
  title: string;
  path: string;
  /** How many wait. `atLeast`: the API lists no more than these. */
  count: (admin: Admin) => Promise<{ count: number; atLeast?: boolean }>;
}

const one = { limit: 1 } as const;

const WAITING: readonly Waiting[] = [
  {
    title: 'Applications of creators',
    path: '/operators/creators',
    count: async ({ creators }) => ({ count: (await creators.list({ status: 'pending', ...one })).total }),
  },
];

export function overviewView(client: PredictionMarketClient): HTMLElement[] {
  return [
    panel('Waiting for a person', waitingList(client.admin)),
    panel('The house', whenRead(drawTreasury(client.admin))),
    panel('The server', whenRead(drawHealth(client))),
    auditPanel(client),
  ];
}

/** Shows the content once it has been read, or why it could not be read. */
function whenRead(content: Promise<Child>): HTMLElement {
  const frame = element('div', { role: 'status' }, 'Loading…');
  content.then(
    (child) => frame.replaceChildren(child),
    (error: unknown) => {
      frame.replaceChildren(element('span', { class: 'message bad' }, explain(error)));
      noticeRefusal(error);
    },
  );
  return frame;
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
  const { balance, exposure, limit, solvent } = await treasury.get();
  return facts([
    ['Treasury', usd(balance)],
    ['Can still lose', usd(exposure)],
    ['May lose beyond the treasury', usd(limit)],
    ['Can pay what it owes', solvent ? tag('yes', 'open') : tag('no: withdrawals wait', 'resolving')],
  ]);
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
