import { creatorStatusView, unknownCreator, type CreatorStatusView } from '../../views/creator';
import type { AddressCommand } from '../commands';
import type { Context } from '../context';

/** Where a wallet's application stands; `none` for one that never applied (SPEC "Creator status record"). */
export async function creatorStatus(
  context: Context,
  { address }: AddressCommand,
): Promise<CreatorStatusView> {
  const creator = await context.storage.read((reader) => reader.creators.find(address));
  return creatorStatusView(creator ?? unknownCreator(address));
}
