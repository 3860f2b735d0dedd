import { creatorView, type CreatorListView } from '../../views/creator';
import type { ListCreatorsCommand } from '../commands';
import type { Context } from '../context';

export async function listCreators(
  context: Context,
  { status, limit, offset }: ListCreatorsCommand,
): Promise<CreatorListView> {
  const query = { limit, offset, ...(status !== null && { status }) };
  const { creators, total } = await context.storage.read((reader) => reader.creators.list(query));
  return { creators: creators.map(creatorView), total, limit, offset };
}
