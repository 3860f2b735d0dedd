/** Amounts are read as text, so that no driver rounds large numbers. */

const exact = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, column]) => `CAST(${column} AS TEXT) AS "${name}"`)
    .join(', ');

export const INSPECTED_COLUMNS = {
  account: exact({ balance: 'balance', reserved: 'reserved' }),
  market: exact({
    liquidityParameter: 'liquidity_parameter',
    sharesYes: 'shares_yes',
    sharesNo: 'shares_no',
    pool: 'pool',
    volume: 'volume',
    creatorFees: 'creator_fees',
  }),
  position: exact({
    shares: 'shares',
    costBasis: 'cost_basis',
    realizedPnl: 'realized_pnl',
    feesPaid: 'fees_paid',
  }),
  trade: exact({
    shares: 'shares',
    notional: 'notional',
    fee: 'fee',
    totalCost: 'total_cost',
    realizedPnl: 'realized_pnl',
  }),
};
