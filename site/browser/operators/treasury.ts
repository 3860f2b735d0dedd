/** The treasury, and money that an operator puts into it. */
import type { PredictionMarketClient } from '../../../src/client';
import { usd, type Child } from '../page';
import { card, type Act } from './cards';
import { ask, form, type Field, type Values } from './forms';
import { button, muted, panel, text } from './parts';

type Admin = PredictionMarketClient['admin'];
type Treasury = Awaited<ReturnType<Admin['treasury']['get']>>;

const LONGEST_REFERENCE = 200;

export const DEPOSIT_FIELDS: readonly Field[] = [
  { name: 'amount', label: 'Amount in USD', kind: 'number' },
  {
    name: 'reference',
    label: 'Reference',
    maxLength: LONGEST_REFERENCE,
    hint: 'Your own text for this deposit, such as the hash of a transaction. Each reference is credited once, so sending it again is safe.',
  },
];

export const depositOf = ({
  amount = '',
  reference = '',
}: Values): { amount: number; reference: string } => ({
  amount: Number(amount),
  reference,
});

export function treasuryPanel(admin: Admin): HTMLElement {
  return panel(
    'Treasury',
    card<Treasury | null>(null, (row, act) => drawTreasury(row, act, admin), 'div'),
  );
}

function drawTreasury(
  treasury: Treasury | null,
  act: Act<Treasury | null>,
  { treasury: house }: Admin,
): Child[] {
  const look = button('Show the balance', () =>
    act(async () => {
      const row = await house.get();
      return {
        row,
        text: row.solvent ? 'The house can pay what it owes.' : 'Withdrawals wait for money in the treasury.',
      };
    }),
  );
  const put = form(DEPOSIT_FIELDS, 'Put money in', (values) => {
    const deposit = depositOf(values);
    const lines = [
      `${usd(deposit.amount)} with the reference ${deposit.reference}.`,
      'The money must be there: nothing checks it.',
    ];
    ask({ title: 'Credit the treasury?', lines, yes: 'Credit it' }, () =>
      act(async () => {
        const { balance } = await house.deposit(deposit);
        return { row: await house.get(), text: `Credited. The treasury holds ${usd(balance)}.` };
      }),
    );
  });
  const figures =
    treasury === null
      ? [muted('Markets can cost the house what the treasury holds.')]
      : [text(`It holds ${usd(treasury.balance)} and can still lose ${usd(treasury.exposure)}.`)];
  return [...figures, look, put];
}
