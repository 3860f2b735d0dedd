import type { TradeRules } from '../../domain/trade';
import type { Context } from '../context';

export function tradeRules({ pricing, config }: Pick<Context, 'pricing' | 'config'>): TradeRules {
  return { pricing, feeBasisPoints: config.creatorFeeBasisPoints };
}
