import type { PredictionMarketClient } from '../../../src/client';
import { usd, type Child } from '../dom';
import { card, type Act } from './cards';
import { ask, form, type Field, type Values } from './forms';
import { facts, muted, panel, tag } from './parts';
import { whenRead } from './when-read';

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

export function treasuryFacts({ balance, exposure, limit, solvent }: Treasury): HTMLElement {
  return facts([
    ['Treasury', usd(balance)],
    ['Can still lose', usd(exposure)],
    ['May lose beyond the treasury', usd(limit)],
    ['Can pay what it owes', solvent ? tag('yes', 'open') : tag('no: withdrawals wait', 'resolving')],
  ]);
}

/** `treasury` is null before the first deposit on this page. The figures are then read here. */
function drawTreasury(
  treasury: Treasury | null,
  act: Act<Treasury | null>,
  { treasury: house }: Admin,
): Child[] {
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
  const figures = treasury === null ? whenRead(house.get().then(treasuryFacts)) : treasuryFacts(treasury);
  return [muted('Markets can cost the house what the treasury holds.'), figures, put];
}
