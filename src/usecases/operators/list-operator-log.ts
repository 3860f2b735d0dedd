import { marketOfAct } from '../../domain/operator-acts';
import { operatorActView, type OperatorLogView } from '../../views/operator-log';
import type { ListOperatorLogCommand } from '../commands';
import type { Context } from '../context';

/**
 * Lists what operators have changed, newest first, with the questions of the markets. There is no total,
 * because counting would read a table that only grows.
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
