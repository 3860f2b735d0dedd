import type { PredictionMarketClient } from '../../../src/client';
import { element, type Child } from '../dom';
import { card, type Act } from './cards';
import { ask, form } from './forms';
import { choice, pagedList, pageOf } from './lists';
import { button, facts, strangersText, heading, more, mono, muted, panel, tag, when } from './parts';

type Admin = PredictionMarketClient['admin'];
type Creator = Awaited<ReturnType<Admin['creators']['approve']>>;
type Status = NonNullable<NonNullable<Parameters<Admin['creators']['list']>[0]>['status']>;

const STATUSES: readonly (readonly [Status | '', string])[] = [
  ['pending', 'Waiting for a decision'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['suspended', 'Suspended'],
  ['', 'All'],
];
const LONGEST_REASON = 500;

export function creatorsView({ admin }: PredictionMarketClient): HTMLElement[] {
  const status = choice({ label: 'Show', parameter: 'status', choices: STATUSES }, () => list.reload());
  const list = pagedList<Creator>({
    async read(window) {
      const chosen = STATUSES.find(([value]) => value === status.value())?.[0] ?? '';
      const answer = await admin.creators.list({ ...window, ...(chosen !== '' && { status: chosen }) });
      return pageOf(answer.creators, answer);
    },
    draw: (rows) => rows.map((creator) => card(creator, (row, act) => drawCreator(row, act, admin))),
    empty: 'No creators here.',
  });
  return [
    panel('Creators and applications', status.element, list.element),
    panel('Approve a wallet', byHand(admin)),
  ];
}

function drawCreator(creator: Creator, act: Act<Creator>, admin: Admin): Child[] {
  const { address, displayName, statement, status, rejectedReason } = creator;
  const rows: [string, Child][] = [
    ['Wallet', mono(address)],
    ['Applied', when(creator.appliedAt)],
  ];
  if (creator.approvedAt !== null) rows.push(['Approved', when(creator.approvedAt)]);
  if (rejectedReason !== null) rows.push(['Reason', element('span', { dir: 'auto' }, rejectedReason)]);
  return [
    heading(displayName ?? 'No name given', tag(status)),
    facts(rows),
    statement === null ? muted('No statement.') : strangersText(statement),
    ...actions(creator, act, admin),
  ];
}

function actions({ address, displayName, status }: Creator, act: Act<Creator>, { creators }: Admin): Child[] {
  const name = displayName ?? address;
  const approve = (): void =>
    act(async () => ({
      row: await creators.approve(address),
      text: `${name} is approved and may open markets.`,
    }));
  const reason = [
    { name: 'reason', label: 'Reason', maxLength: LONGEST_REASON, hint: 'The creator sees it.' },
  ];
  const reject = form(reason, 'Reject', (values) =>
    act(async () => ({
      row: await creators.reject(address, values.reason ?? ''),
      text: `${name} is rejected.`,
    })),
  );
  const suspend = form(
    [{ name: 'reason', label: 'Reason', maxLength: LONGEST_REASON }],
    'Suspend',
    ({ reason: why = '' }) => {
      const lines = ['The creator opens no further market. Markets that are open go on.'];
      ask({ title: `Suspend ${name}?`, lines, yes: 'Suspend' }, () =>
        act(async () => ({ row: await creators.suspend(address, why), text: `${name} is suspended.` })),
      );
    },
  );
  const made: Child[] = [];
  if (status !== 'approved') made.push(button('Approve', approve, 'primary'));
  if (status === 'pending') made.push(more('Reject…', reject));
  if (status === 'approved') made.push(more('Suspend…', suspend));
  return [element('div', { class: 'operators-actions' }, ...made)];
}

/** Approves a wallet by its address, also without an application. */
function byHand(admin: Admin): HTMLElement {
  return card<Creator | null>(
    null,
    (creator, act) => {
      if (creator !== null) return drawCreator(creator, act as Act<Creator>, admin);
      const address = { name: 'address', label: 'Wallet address', hint: 'It need not have applied.' };
      return [
        form([address], 'Approve', (values) =>
          act(async () => {
            const approved = await admin.creators.approve(values.address ?? '');
            return { row: approved, text: `${approved.address} is approved and may open markets.` };
          }),
        ),
      ];
    },
    'div',
  );
}
