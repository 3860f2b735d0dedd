import { parseAddress } from '../../crypto/address';
import { marketOfAct } from '../../domain/operator-acts';
import type { OperatorLogFilter } from '../../ports/storage';
import { checksumAddress } from '../../views/format';
import { operatorActView, type OperatorLogView } from '../../views/operator-log';
import type { ListOperatorLogCommand, PageCommand } from '../commands';
import type { Context } from '../context';

/**
 * Lists the acts of operators, newest first. An act on a market also gets the question of the market. There is no
 * total, because counting would read the whole table, which only grows.
 */
export async function listOperatorLog(
  { storage }: Context,
  { limit, offset, ...filter }: ListOperatorLogCommand,
): Promise<OperatorLogView> {
  const query = { ...filterOf(filter), limit: limit + 1, offset };
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

/** A wallet is found in any letter case. The log has addresses in EIP-55 form. */
function filterOf({
  operator,
  action,
  target,
  since,
  until,
}: Omit<ListOperatorLogCommand, keyof PageCommand>): OperatorLogFilter {
  const wallet = target === null ? null : parseAddress(target);
  return {
    ...(operator !== null && { operator }),
    ...(action !== null && { action }),
    ...(target !== null && { target: wallet === null ? target : checksumAddress(wallet) }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  };
}
