import { parseAddress } from '../../crypto/address';
import { marketOfAct } from '../../domain/operator-acts';
import type { OperatorLogFilter } from '../../ports/storage';
import { checksumAddress } from '../../views/format';
import { operatorActView, type OperatorLogView } from '../../views/operator-log';
import type { ListOperatorLogCommand, PageCommand } from '../commands';
import type { Context } from '../context';

/**
 * Lists what operators have changed, newest first, with the questions of the markets. There is no total,
 * because counting would read a table that only grows.
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
