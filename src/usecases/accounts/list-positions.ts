import { positionView, type PositionListView } from '../../views/position';
import type { ListPositionsCommand } from '../commands';
import type { Context } from '../context';

export async function listPositions(
  context: Context,
  command: ListPositionsCommand,
): Promise<PositionListView> {
  const { limit, offset } = command;
  const rules = { pricing: context.pricing, feeBasisPoints: context.config.creatorFeeBasisPoints };
  const page = await context.storage.read((reader) => reader.positions.list(command));
  return {
    positions: page.positions.map((position) => positionView(position, rules)),
    total: page.total,
    limit,
    offset,
  };
}
