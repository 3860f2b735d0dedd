import { resolutionSummaryView, type ResolutionListView } from '../../views/resolution';
import type { ListResolutionsCommand } from '../commands';
import type { Context } from '../context';

export async function listResolutions(
  context: Context,
  { status, limit, offset }: ListResolutionsCommand,
): Promise<ResolutionListView> {
  const query = { limit, offset, ...(status !== null && { status }) };
  const { resolutions, total } = await context.storage.read((reader) => reader.resolutions.list(query));
  return { resolutions: resolutions.map(resolutionSummaryView), total, limit, offset };
}
