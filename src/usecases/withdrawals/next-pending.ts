/** Chooses the pending withdrawals that a run prepares. */
import type { Withdrawal } from '../../domain/withdrawals';
import type { Storage } from '../../ports/storage';
import type { WithdrawalMemory } from './withdrawal-memory';

const PREPARED_PER_RUN = 50;

/**
 * The next pending withdrawals, at most `room`. New withdrawals alternate with older ones that are still pending, so
 * that neither kind keeps the other waiting.
 */
export async function nextPending(
  storage: Storage,
  room: number,
  memory: WithdrawalMemory,
): Promise<Withdrawal[]> {
  const limit = Math.min(PREPARED_PER_RUN, room);
  if (limit <= 0) return [];
  const after = (afterId: number): Promise<Withdrawal[]> =>
    storage.read((reader) => reader.withdrawals.listOpen({ status: 'pending', afterId, limit }));
  const leftBehindAfter = async (afterId: number): Promise<Withdrawal[]> =>
    (await after(afterId)).filter(({ id }) => id <= memory.lastPending);
  const news = await after(memory.lastPending);
  let old = await leftBehindAfter(memory.lastLeftBehind);
  if (old.length === 0 && memory.lastLeftBehind > 0) old = await leftBehindAfter(0);
  const [first, second] = memory.beginsWithOld ? [old, news] : [news, old];
  return Array.from({ length: limit }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((withdrawal) => withdrawal !== undefined)
    .slice(0, limit);
}

export async function isAnyPending(storage: Storage): Promise<boolean> {
  const first = { status: 'pending', afterId: 0, limit: 1 } as const;
  return (await storage.read((reader) => reader.withdrawals.listOpen(first))).length > 0;
}
