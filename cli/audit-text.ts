/**
 * Formats the result of an audit for people, in USD and shares. `--json` prints the integers of the database
 * instead.
 */
import type { AuditView } from 'express-prediction-market';
import { fromMillionths } from './numbers';

type Difference = AuditView['differences'][number];

export function describeAudit({ ok, checked, treasury, solvency, differences }: AuditView): string[] {
  const { entries, wallets, markets, positions } = checked;
  const counted = `${entries} entries, ${wallets} wallets, ${markets} markets, ${positions} positions`;
  const house = `treasury ${treasury} USD, ${solvency.solvent ? 'solvent' : 'NOT SOLVENT: withdrawals wait'}`;
  if (ok) return [`the books add up: ${counted}`, house];
  return [`the books do NOT add up: ${counted}`, ...differences.map(describeDifference), house];
}

function describeDifference(difference: Difference): string {
  const { kind, subject, stored, computed } = difference;
  const unit = unitOf(difference);
  const shown = (figure: string): string => (unit === null ? figure : `${fromMillionths(figure)} ${unit}`);
  return `  ${kind} ${subject}: stored ${shown(stored)}, computed ${shown(computed)}`;
}

/**
 * The unit of the two figures of a difference. The last word of its subject names the figure, as in
 * `market:7 creatorFees`. `null`: the figures count rows.
 */
function unitOf({ kind, subject }: Difference): 'USD' | 'shares' | null {
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
