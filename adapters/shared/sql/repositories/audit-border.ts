/** Compares deposits and withdrawals with the postings that move money from and to the account `external`. */
import { walletAccountOf } from '../account-ids';
import type { Dialect } from '../dialect';
import { comparison, sideBySide, type Figure, type Source } from './audit-comparison';

/** How the rows of deposits, or of withdrawals, correspond to their postings. */
interface Crossing {
  kind: 'deposit' | 'withdrawal';
  rows: string;
  reference: string;
  account: string;
  /** The sign of the amount that the posting adds to the account. */
  sign: '' | '-';
}

const CROSSINGS: readonly Crossing[] = [
  {
    kind: 'deposit',
    rows: 'deposits',
    reference: `'deposit:' || reference`,
    account: `CASE WHEN wallet = 'treasury' THEN wallet ELSE ${walletAccountOf('wallet')} END`,
    sign: '',
  },
  {
    kind: 'withdrawal',
    rows: 'withdrawals',
    reference: `'withdrawal:' || CAST(id AS TEXT)`,
    account: walletAccountOf('wallet'),
    sign: '-',
  },
];

/**
 * Compares deposits and confirmed withdrawals with their postings: the amount, and the account that the money
 * went to or came from. A row without a posting is a difference, and so is a posting without a row.
 */
export function borderComparison(dialect: Dialect): string {
  const definitions = CROSSINGS.flatMap((crossing) => definitionsOf(dialect, crossing));
  const figures = CROSSINGS.flatMap(({ kind }) => [figureOf(`${kind}_amounts`), figureOf(`${kind}_owners`)]);
  return comparison(definitions.join(', '), figures);
}

const figureOf = (source: string): Figure => ({
  kind: 'posting',
  subject: 'subject',
  stored: 'stored_amount',
  computed: 'computed_amount',
  source,
});

function definitionsOf({ table }: Dialect, { kind, rows, reference, account, sign }: Crossing): string[] {
  const [recorded, moved] = [`${kind}_rows`, `${kind}_entries`];
  const where = kind === 'withdrawal' ? ` WHERE status = 'confirmed'` : '';
  const stored: Source = { from: recorded, subject: 'reference', columns: { amount: 'amount' } };
  const crossed: Source = {
    from: `${moved} WHERE account = 'external'`,
    subject: 'reference',
    columns: { amount: '-amount' },
  };
  return [
    `${recorded} AS MATERIALIZED (
      SELECT ${reference} AS reference, ${account} AS account, amount FROM ${table(rows)}${where}
    )`,
    `${moved} AS MATERIALIZED (
      SELECT p.reference AS reference, e.account AS account, ${sign}e.amount AS amount
      FROM ${table('entries')} e JOIN ${table('postings')} p ON p.id = e.posting_id WHERE p.kind = '${kind}'
    )`,
    sideBySide(`${kind}_amounts`, stored, crossed),
    `${kind}_owners AS MATERIALIZED (
      SELECT r.reference || ' ' || r.account AS subject, r.amount AS stored_amount,
        sum(CASE WHEN e.account = r.account THEN e.amount ELSE 0 END) AS computed_amount
      FROM ${recorded} r JOIN ${moved} e ON e.reference = r.reference GROUP BY r.reference, r.account, r.amount
    )`,
  ];
}
