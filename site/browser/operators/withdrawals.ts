import type { PredictionMarketClient } from '../../../src/client';
import { element, usd, type Child } from '../dom';
import { card, type Act } from './cards';
import { ask, form } from './forms';
import { pagedList } from './lists';
import { facts, heading, mono, more, muted, panel, tag, when } from './parts';

type Admin = PredictionMarketClient['admin'];
type Withdrawal = Awaited<ReturnType<Admin['withdrawals']['list']>>['withdrawals'][number];

const LONGEST_REASON = 500;

export function withdrawalsPanel(admin: Admin): HTMLElement {
  // Maps the offset of a page to the id after which the page begins, because the API pages by id.
  const lastIds = new Map<number, number>();
  const list = pagedList<Withdrawal>({
    async read({ limit, offset }) {
      const after = lastIds.get(offset) ?? 0;
      const { withdrawals, hasMore } = await admin.withdrawals.list({ limit, after });
      lastIds.set(offset + limit, withdrawals.at(-1)?.id ?? after);
      return { rows: withdrawals, hasMore };
    },
    draw: (rows) => rows.map((withdrawal) => card(withdrawal, (row, act) => drawWithdrawal(row, act, admin))),
    empty: 'No withdrawal is open.',
  });
  const explained = muted(
    'Open withdrawals, the oldest first. Most end by themselves within minutes. End one by hand only if it cannot.',
  );
  return panel('Withdrawals', explained, list.element);
}

function drawWithdrawal(withdrawal: Withdrawal, act: Act<Withdrawal>, admin: Admin): Child[] {
  const { id, amount, status, address, transaction, createdAt, updatedAt } = withdrawal;
  return [
    heading(`Withdrawal ${id}: ${usd(amount)}`, tag(status)),
    facts([
      ['Wallet', mono(address)],
      ['Transaction', transaction === null ? 'not known' : mono(transaction)],
      ['Asked', when(createdAt)],
      ['Changed', when(updatedAt)],
    ]),
    ...(status === 'pending' || status === 'sent' ? [actions(withdrawal, act, admin)] : []),
  ];
}

function actions(withdrawal: Withdrawal, act: Act<Withdrawal>, { withdrawals }: Admin): HTMLElement {
  const { id, amount, address } = withdrawal;
  const about = `Withdrawal ${id}: ${usd(amount)} to ${address}.`;
  const confirm = form(
    [{ name: 'transaction', label: 'Hash of the transaction that paid it' }],
    'It was paid',
    (values) =>
      ask({ title: 'Say that it was paid?', lines: [about, 'This is final.'], yes: 'It was paid' }, () =>
        act(async () => {
          const ended = await withdrawals.confirm(id, values.transaction ?? '');
          return { row: { ...withdrawal, ...ended }, text: `Withdrawal ${id} is confirmed.` };
        }),
      ),
  );
  const why = {
    name: 'reason',
    label: 'How you know',
    maxLength: LONGEST_REASON,
    hint: 'Kept with the withdrawal.',
  };
  const fail = form([why], 'It was not paid', (values) => {
    const lines = [
      about,
      'The wallet gets the amount back. If anything can still pay the transfer, the wallet is paid and keeps the amount too.',
    ];
    ask({ title: 'Say that it was not paid and never will be?', lines, yes: 'Give the amount back' }, () =>
      act(async () => {
        const ended = await withdrawals.fail(id, values.reason ?? '');
        return {
          row: { ...withdrawal, ...ended },
          text: `Withdrawal ${id} has failed; the amount was given back.`,
        };
      }),
    );
  });
  return element(
    'div',
    { class: 'operators-actions' },
    more('It was paid…', confirm),
    more('It was not paid…', fail),
  );
}
