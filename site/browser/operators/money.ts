/** Money that may need a person: payments, open withdrawals, the treasury, and the audit of the books. */
import type { PredictionMarketClient } from '../../../src/client';
import { element, usd, type Child } from '../dom';
import { auditPanel } from './audit';
import { card, type Act } from './cards';
import { ask, filled, form, type Field } from './forms';
import { choice, pagedList } from './lists';
import { facts, heading, mono, more, muted, panel, tag, when } from './parts';
import { treasuryPanel } from './treasury';
import { withdrawalsPanel } from './withdrawals';

type Admin = PredictionMarketClient['admin'];
type Payment = Awaited<ReturnType<Admin['payments']['confirm']>>;

const STATUSES: readonly (readonly [Payment['status'] | '', string])[] = [
  ['submitted', 'Outcome not known'],
  ['settled', 'Settled'],
  ['delivered', 'Delivered'],
  ['rejected', 'Rejected'],
  ['claimed', 'Claimed'],
  ['', 'All'],
];

const LONGEST_REASON = 500;

export function moneyView(client: PredictionMarketClient): HTMLElement[] {
  return [
    panel('Payments', ...payments(client.admin)),
    withdrawalsPanel(client.admin),
    treasuryPanel(client.admin),
    auditPanel(client),
  ];
}

function payments(admin: Admin): HTMLElement[] {
  const status = choice({ label: 'Show', parameter: 'status', choices: STATUSES }, () => list.reload());
  const list = pagedList<Payment>({
    async read(window) {
      const chosen = STATUSES.find(([value]) => value === status.value())?.[0] ?? '';
      const answer = await admin.payments.list({ ...window, ...(chosen !== '' && { status: chosen }) });
      return { rows: answer.payments, hasMore: answer.hasMore };
    },
    draw: (rows) => rows.map((payment) => card(payment, (row, act) => drawPayment(row, act, admin))),
    empty: 'No payments here.',
  });
  const explained = muted(
    'A payment is in this state for seconds while it is settled. One that stays needs a person: look the transaction up on the chain, then say what became of it.',
  );
  return [explained, status.element, list.element];
}

function drawPayment(payment: Payment, act: Act<Payment>, admin: Admin): Child[] {
  const { id, status, operation, payer, amount, transaction, reason, decision } = payment;
  const rows: [string, Child][] = [
    ['For', operation],
    ['Payer', mono(payer)],
    ['Transaction', transaction === null ? 'not known' : mono(transaction)],
    ['Nonce', mono(payment.nonce)],
    ['Since', when(payment.createdAt)],
  ];
  if (payment.validBefore !== null) rows.push(['Authorization ends', when(payment.validBefore)]);
  if (reason !== null) rows.push(['Why', element('span', { dir: 'auto' }, reason)]);
  if (decision !== null)
    rows.push([`${decision.verdict} by an operator`, element('span', { dir: 'auto' }, decision.reason)]);
  // A claimed payment too may have charged its payer, so an operator may decide about it.
  const mayBeDecided = status === 'submitted' || status === 'claimed';
  const changes = mayBeDecided ? [actions(payment, act, admin)] : [];
  return [heading(`Payment ${id}: ${usd(amount)}`, tag(status)), facts(rows), ...changes];
}

const DECISION: readonly Field[] = [
  { name: 'reason', label: 'How you know', maxLength: LONGEST_REASON, hint: 'Kept with the payment.' },
  { name: 'transaction', label: 'Hash of the transaction (optional)', isOptional: true },
];

function actions(
  { id, amount, payer }: Payment,
  act: Act<Payment>,
  { payments: { confirm, reject } }: Admin,
): HTMLElement {
  const about = `Payment ${id}: ${usd(amount)} of ${payer}.`;
  const decide = (label: string, yes: string, line: string, send: typeof confirm): HTMLElement =>
    more(
      `${label}…`,
      form(DECISION, label, (values) =>
        ask({ title: `${label}?`, lines: [about, line, 'This is final.'], yes }, () =>
          act(async () => {
            const { reason = '', ...optional } = filled(values);
            const row = await send(id, { reason, ...optional });
            return { row, text: `Payment ${id} is ${row.status}.` };
          }),
        ),
      ),
    );
  return element(
    'div',
    { class: 'operators-actions' },
    decide('It has arrived', 'Confirm', 'The call that was paid for is carried out now.', confirm),
    decide(
      'It has not arrived',
      'Reject',
      'The payer gets nothing for it, so be sure that it never arrives.',
      reject,
    ),
  );
}
