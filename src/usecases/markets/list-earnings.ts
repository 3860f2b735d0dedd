import { earningsView, type EarningsView } from '../../views/earnings';
import type { ListEarningsCommand } from '../commands';
import type { Context } from '../context';

export async function listEarnings(
  { storage, pricing, clock }: Context,
  { wallet, limit, offset }: ListEarningsCommand,
): Promise<EarningsView> {
  const created = await storage.snapshot((reader) =>
    reader.markets.listByCreator({ creator: wallet, limit, offset }),
  );
  return { ...earningsView(created, pricing, clock.now()), limit, offset };
}
