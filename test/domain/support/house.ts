import { accountChanges, assertBalanced, depositPosting, tradePosting } from '../../../src/domain/ledger';
import { lmsr } from '../../../src/domain/lmsr';
import { decideResolution, paidPosition, sweep } from '../../../src/domain/resolution';
import { decideTrade, type AcceptedTrade, type TradeCommand } from '../../../src/domain/trade';
import type { AccountId, Market, Outcome, Position, Posting } from '../../../src/domain/types';
import { marketOf, T0, wallet } from './arbitraries';

export const RULES = { pricing: lmsr, feeBasisPoints: 50n };

export class House {
  market: Market;
  readonly positions = new Map<string, Position>();
  readonly balances = new Map<AccountId, bigint>();
  trades: AcceptedTrade[] = [];

  constructor(liquidityParameter: bigint, wallets: number, deposit: bigint) {
    this.market = marketOf({ liquidityParameter });
    for (let index = 0; index < wallets; index += 1) {
      const reference = String(index);
      this.post(depositPosting({ wallet: wallet(index), amount: deposit, reference, createdAt: T0 }));
    }
  }

  balance(account: AccountId): bigint {
    return this.balances.get(account) ?? 0n;
  }

  place(command: TradeCommand): ReturnType<typeof decideTrade> {
    const key = `${command.wallet}:${command.side}`;
    const position = this.positions.get(key) ?? null;
    const available = this.balance(`wallet:${command.wallet}`);
    const decision = decideTrade({ market: this.market, position, available }, command, RULES);
    if (!decision.accepted) return decision;
    this.trades.push(decision);
    this.market = decision.market;
    this.positions.set(key, decision.position);
    this.post(tradePosting(this.trades.length, decision.posting));
    return decision;
  }

  settle(outcome: Outcome): bigint {
    const details = { resolvedAt: T0, oracleConsensus: 1, method: 'operator', note: null } as const;
    const resolution = decideResolution(this.market, outcome, details);
    this.market = resolution.market;
    this.postIfAny(resolution.posting);
    for (const [key, position] of this.positions) {
      if (position.shares === 0n) continue;
      const paid = paidPosition(position, outcome, T0);
      this.market = { ...this.market, pool: this.market.pool - paid.payout };
      this.positions.set(key, paid.position);
      this.postIfAny(paid.posting);
    }
    const swept = sweep(this.market, T0);
    this.market = swept.market;
    this.postIfAny(swept.posting);
    return this.balance('treasury');
  }

  private postIfAny(posting: Posting | null): void {
    if (posting !== null) this.post(posting);
  }

  /** Keeps each pool twice, in `market` and in `balances`, so that a test can compare the two. */
  private post(posting: Posting): void {
    assertBalanced(posting);
    const { accounts, pools } = accountChanges([posting]);
    for (const change of accounts) this.add(change.id, change.balance);
    for (const [marketId, amount] of pools) this.add(`market:${marketId}`, amount);
  }

  private add(account: AccountId, amount: bigint): void {
    this.balances.set(account, this.balance(account) + amount);
  }
}
