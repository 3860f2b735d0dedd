/** The figures of an audit for people: money in USD and shares as shares. */
/** A difference that the audit has found. `stored` and `computed` are integers of the database. */
export interface AuditDifference {
  kind: string;
  subject: string;
  stored: string;
  computed: string;
}

/** The two figures with their unit, such as `1.5 USD`. A figure without a unit counts rows. */
export function auditFigures(difference: AuditDifference): Pick<AuditDifference, 'stored' | 'computed'> {
  const unit = unitOf(difference);
  const shown = (figure: string): string => (unit === null ? figure : `${fromMillionths(figure)} ${unit}`);
  return { stored: shown(difference.stored), computed: shown(difference.computed) };
}

/**
 * The unit of the two figures of a difference. If figures of one kind have different units, the last word of the
 * subject names the figure, as in `market:7 creatorFees`. `null`: the figures count rows.
 */
function unitOf({ kind, subject }: AuditDifference): 'USD' | 'shares' | null {
  const figure = subject.split(' ').at(-1) ?? '';
  switch (kind) {
    case 'posting':
    case 'account':
    case 'pool':
      return 'USD';
    case 'position':
      return figure === 'shares' ? 'shares' : 'USD';
    case 'market':
      return 'shares';
    case 'counter':
      return figure === 'creatorFees' || figure === 'exposure' ? 'USD' : null;
    case 'candle':
      return figure === 'trades' ? null : 'USD';
    case 'house':
      return figure === 'lost' ? 'USD' : null;
    default:
      return null;
  }
}

/** An integer of the database, in millionths, as a decimal number: `-1500000` is `-1.5`. Other texts stay as they are. */
function fromMillionths(text: string): string {
  const [, sign = '', digits] = /^(-?)(\d+)$/.exec(text) ?? [];
  if (digits === undefined) return text;
  const padded = digits.padStart(7, '0');
  const fraction = padded.slice(-6).replace(/0+$/, '');
  return `${sign}${padded.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`;
}
