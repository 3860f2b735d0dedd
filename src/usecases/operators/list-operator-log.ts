import { marketOfAct } from '../../domain/operator-acts';
import { operatorActView, type OperatorLogView } from '../../views/operator-log';
import type { ListOperatorLogCommand } from '../commands';
import type { Context } from '../context';

/**
 * Lists the acts of operators, newest first. An act on a market also gets the question of the market. There is no
 * total, because counting would read the whole table, which only grows.
 */
export async function listOperatorLog(
  { storage }: Context,
  { action, limit, offset }: ListOperatorLogCommand,
): Promise<OperatorLogView> {
  const query = { limit: limit + 1, offset, ...(action !== null && { action }) };
  return storage.read(async (reader) => {
    const found = await reader.operatorLog.list(query);
    const acts = found.slice(0, limit);
    const ids = new Set(acts.flatMap((act) => marketOfAct(act) ?? []));
    const markets = ids.size === 0 ? [] : await reader.markets.findByIds([...ids]);
    const questions = new Map(markets.map(({ id, question }) => [id, question]));
    const views = acts.map((act) => operatorActView(act, questions.get(marketOfAct(act) ?? 0) ?? null));
    return { acts: views, limit, offset, hasMore: found.length > limit };
  });
}
