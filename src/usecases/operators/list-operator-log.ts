import { operatorActView, type OperatorLogView } from '../../views/operator-log';
import type { ListOperatorLogCommand } from '../commands';
import type { Context } from '../context';

/** Lists what operators have changed, newest first. There is no total, because the log only grows. */
export async function listOperatorLog(
  { storage }: Context,
  { action, limit, offset }: ListOperatorLogCommand,
): Promise<OperatorLogView> {
  const query = { limit: limit + 1, offset, ...(action !== null && { action }) };
  const found = await storage.read((reader) => reader.operatorLog.list(query));
  return { acts: found.slice(0, limit).map(operatorActView), limit, offset, hasMore: found.length > limit };
}
