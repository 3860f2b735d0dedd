import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 1 ? middle : middle - 1];
  if (upper === undefined || lower === undefined) throw new Error('median of nothing');
  return (upper + lower) / 2;
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

export function environmentLine(what: string): string {
  const cores = cpus();
  const machine = `${cores.length} x ${cores[0]?.model ?? 'unknown CPU'}, load ${loadavg()[0]?.toFixed(1) ?? '?'}`;
  return `commit ${commit()}, Node ${process.version}, ${machine}; ${what}`;
}

export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  console.log(line(header));
  console.log(line(widths.map((width) => '-'.repeat(width))));
  for (const row of rows) console.log(line(row));
}

/** A measured figure and its goal, which is one of the two limits. */
export interface Goal {
  what: string;
  value: number;
  atLeast?: number;
  atMost?: number;
}

export function printGoals(goals: readonly Goal[]): boolean {
  const isMet = ({ value, atLeast = -Infinity, atMost = Infinity }: Goal): boolean =>
    value >= atLeast && value <= atMost;
  console.log('');
  printTable(
    ['figure', 'measured', 'goal', 'met'],
    goals.map((goal) => [
      goal.what,
      goal.value.toFixed(2),
      goal.atLeast === undefined ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`,
      isMet(goal) ? 'yes' : 'no',
    ]),
  );
  return goals.every(isMet);
}
