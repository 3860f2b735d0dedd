import type { PredictionMarketClient } from '../../../src/client';
import { auditFigures } from '../../../src/client/audit-figures';
import { count, element, usd, type Child } from '../dom';
import { card, type Act } from './cards';
import { button, facts, mono, muted, panel, table, text } from './parts';

type Audit = Awaited<ReturnType<PredictionMarketClient['admin']['audit']>>;

const MOST_DIFFERENCES = 100;

export function auditPanel(client: PredictionMarketClient): HTMLElement {
  return panel(
    'Books',
    card<Audit | null>(null, (result, act) => drawAudit(result, act, client), 'div'),
  );
}

function drawAudit(result: Audit | null, act: Act<Audit | null>, { admin }: PredictionMarketClient): Child[] {
  const check = (): void =>
    act(async () => {
      const row = await admin.audit();
      return {
        row,
        text: row.ok ? 'The books agree.' : 'The books do not agree. Do not pay out before you know why.',
      };
    });
  const explained = muted(
    'Computes every balance, pool and position anew and compares. It may take minutes.',
  );
  return [explained, button('Check the books', check), ...(result === null ? [] : drawResult(result))];
}

function drawResult({ checked, differences, solvency, treasury }: Audit): Child[] {
  const figures = facts([
    ['Wallets', `${count(checked.wallets)}, ${usd(solvency.wallets)}`],
    ['Markets', `${count(checked.markets)}, ${usd(solvency.pools)}`],
    ['Positions', count(checked.positions)],
    ['Entries', count(checked.entries)],
    ['Treasury', usd(treasury)],
    ['What the house owns', usd(solvency.surplus)],
    ['The same at the worst', usd(solvency.worstCase)],
  ]);
  if (differences.length === 0) return [figures, text('No differences.')];
  const rows = differences.slice(0, MOST_DIFFERENCES).map((difference) => {
    const { stored, computed } = auditFigures(difference);
    return [difference.kind, mono(difference.subject), stored, computed];
  });
  const shown = element('p', {}, `${differences.length} differences; the first ${rows.length} are listed.`);
  return [figures, shown, table('Differences', ['Kind', 'Subject', 'Stored', 'Computed'], rows)];
}
