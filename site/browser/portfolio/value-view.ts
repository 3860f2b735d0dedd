/** The value of the account over time on the portfolio page: a chart, and the same values as a table. */
import type { Credit, Withdrawal } from '../../../src/client/api.generated';
import { shortMoment, usd } from '../../format';
import { makers } from '../chart/market-chart';
import type { ChartPoint } from '../chart/points';
import type { PriceChart } from '../chart/price-chart';
import { client } from '../client';
import { element, find, show } from '../dom';
import { table } from '../table';
import { MOST_ROWS, type History } from './history';
import { movementsOf } from './statement';
import { knownPoints, thinned, valueOverTime, type ValuePoint } from './value';

const MOST_POINTS = 500;
const TABLE_ROWS = 24;

export interface ValueLine {
  points: ValuePoint[];
  isCut: boolean;
}

/** Reads at most `MOST_ROWS` rows, newest first. No row after the instant `knownFrom`, in milliseconds, is missing. */
async function newest<Row>(
  rows: AsyncIterable<Row>,
  timeOf: (row: Row) => string,
): Promise<{ read: Row[]; knownFrom: number }> {
  const read: Row[] = [];
  for await (const row of rows) {
    if (read.length === MOST_ROWS) return { read, knownFrom: knownFrom(read.at(-1), timeOf) };
    read.push(row);
  }
  return { read, knownFrom: -Infinity };
}

function knownFrom<Row>(oldest: Row | undefined, timeOf: (row: Row) => string): number {
  return oldest === undefined ? -Infinity : Date.parse(timeOf(oldest));
}

export async function readValueLine({ rows, isCut, positions }: History): Promise<ValueLine> {
  const deposits = await newest<Credit>(client.account.allDeposits(), ({ createdAt }) => createdAt);
  const withdrawals = await newest<Withdrawal>(client.withdrawals.all(), ({ createdAt }) => createdAt);
  const { balance, positionsValue } = await client.account.balance();
  const life = { history: rows, deposits: deposits.read, withdrawals: withdrawals.read, balance };
  const movements = movementsOf({ ...life, earnings: [], questions: new Map() });
  const from = Math.max(
    deposits.knownFrom,
    withdrawals.knownFrom,
    isCut ? knownFrom(rows.at(-1), ({ createdAt }) => createdAt) : -Infinity,
  );
  const points = valueOverTime(movements, { now: Date.now(), balance, positionsValue, positions });
  return { points: knownPoints(points, from), isCut: from > -Infinity };
}

/** Returns a function that draws the line. The chart is loaded when there is something to draw. */
export function createValueView(section: HTMLElement): (line: ValueLine) => void {
  const place = find('[data-value-chart]', section);
  const foot = find('[data-value-foot]', section);
  let chart: Promise<PriceChart> | null = null;

  async function mount(into: HTMLElement): Promise<PriceChart> {
    const { mountChart, VALUE } = await import('../chart/price-chart');
    const readings = element('p', { class: 'chart-reading muted' });
    foot?.replaceChildren(readings, makers());
    return mountChart(into, readings, VALUE);
  }

  return ({ points, isCut }) => {
    // A single point is the present value, which the page shows above.
    show(section, points.length > 1);
    if (points.length < 2 || place === null) return;
    find('[data-value-table]', section)?.replaceChildren(valueTable(points));
    show(find('[data-value-cut]', section), isCut);
    chart ??= mount(place);
    // Without the chart, the table still shows the values.
    chart.then(
      (mounted) => {
        mounted.show(chartPointsOf(points));
        mounted.fit();
      },
      () => show(place, false),
    );
  };
}

/** The chart takes at most one point for each second, in order. */
function chartPointsOf(points: readonly ValuePoint[]): ChartPoint[] {
  const bySecond = new Map(points.map((point) => [Math.floor(point.time / 1000), point]));
  const inOrder = [...bySecond].sort(([left], [right]) => left - right);
  return thinned(inOrder, MOST_POINTS).map(([time, point]) => ({
    time,
    price: point.value,
    volume: 0,
    words: `${shortMoment(new Date(point.time).toISOString())} UTC: ${usd(point.value)}`,
  }));
}

function valueTable(points: readonly ValuePoint[]): HTMLElement {
  const rows = thinned(points, TABLE_ROWS).reverse();
  return table('Value of the account, newest first; times in UTC', rows, [
    { title: 'Time (UTC)', cell: ({ time }) => shortMoment(new Date(time).toISOString()) },
    { title: 'Value', number: true, cell: ({ value }) => usd(value) },
  ]);
}
