/** The figures of an audit with their units, for people. */
/**
 * A difference that the audit has found. `stored` and `computed` are integers as texts: millionths, or counts of
 * rows.
 */
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
 * `null`: the figures count rows. For some kinds the last word of the subject names the figure, as in `market:7
 * creatorFees`.
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

/** Millionths as a decimal number: `-1500000` is `-1.5`. A text that is no integer stays as it is. */
function fromMillionths(text: string): string {
  const [, sign = '', digits] = /^(-?)(\d+)$/.exec(text) ?? [];
  if (digits === undefined) return text;
  const padded = digits.padStart(7, '0');
  const fraction = padded.slice(-6).replace(/0+$/, '');
  return `${sign}${padded.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`;
}
