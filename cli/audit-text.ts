/**
 * Formats the result of an audit for people, in USD and shares. With `--json`, `stored` and `computed` are the integers
 * of the database instead.
 */
import type { AuditView } from 'express-prediction-market';
import { auditFigures, type AuditDifference } from '../src/client/audit-figures';

export function describeAudit({ ok, checked, treasury, solvency, differences }: AuditView): string[] {
  const { entries, wallets, markets, positions } = checked;
  const counted = [
    number(entries, 'entry', 'entries'),
    number(wallets, 'wallet'),
    number(markets, 'market'),
    number(positions, 'position'),
  ].join(', ');
  const house = `treasury ${treasury} USD, ${solvency.solvent ? 'solvent' : 'NOT SOLVENT: withdrawals wait'}`;
  if (ok) return [`the books add up: ${counted}`, house];
  return [`the books do NOT add up: ${counted}`, ...differences.map(describeDifference), house];
}

function number(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function describeDifference(difference: AuditDifference): string {
  const { stored, computed } = auditFigures(difference);
  return `  ${difference.kind} ${difference.subject}: stored ${stored}, computed ${computed}`;
}
