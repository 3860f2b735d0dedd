import { describeAudit } from '../../cli/audit-text';
import type { AuditView } from '../../src/index';

const line = (kind: string, subject: string, stored = '-1500000', computed = '1'): string | undefined =>
  describeAudit({
    ok: false,
    checked: { entries: 0, wallets: 0, markets: 0, positions: 0 },
    treasury: 10023.396333,
    solvency: { solvent: true },
    differences: [{ kind, subject, stored, computed }],
  } as unknown as AuditView)[1];

it.each([
  ['posting', 'deposit:a number of shares', '-1.5 USD', '0.000001 USD'],
  ['account', 'treasury', '-1.5 USD', '0.000001 USD'],
  ['account', 'wallet:0x1 reserved', '-1.5 USD', '0.000001 USD'],
  ['pool', 'market:1', '-1.5 USD', '0.000001 USD'],
  ['position', '1:0x1:YES shares', '-1.5 shares', '0.000001 shares'],
  ['position', '1:0x1:YES costBasis', '-1.5 USD', '0.000001 USD'],
  ['market', 'market:1 YES', '-1.5 shares', '0.000001 shares'],
  ['counter', 'market:1 creatorFees', '-1.5 USD', '0.000001 USD'],
  ['counter', 'totals:open:science exposure', '-1.5 USD', '0.000001 USD'],
  ['counter', 'market:1 tradeCount', '-1500000', '1'],
  ['candle', 'market:1 candle 60000 0 volume', '-1.5 USD', '0.000001 USD'],
  ['candle', 'market:1 candle 60000 0 trades', '-1500000', '1'],
  ['house', 'house:0x1:5 lost', '-1.5 USD', '0.000001 USD'],
  ['house', 'house:0x1:5 unresolved', '-1500000', '1'],
])('%s %s: stored %s, computed %s', (kind, subject, stored, computed) => {
  expect(line(kind, subject)).toBe(`  ${kind} ${subject}: stored ${stored}, computed ${computed}`);
});

it('the figures of an account have the form of the treasury', () => {
  expect(line('account', 'treasury', '10023396333', '10000000000')).toBe(
    '  account treasury: stored 10023.396333 USD, computed 10000 USD',
  );
});
