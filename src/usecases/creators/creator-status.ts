import { creatorStatusView, unknownCreator, type CreatorStatusView } from '../../views/creator';
import type { AddressCommand } from '../commands';
import type { Context } from '../context';

/** The status is `none` if the wallet never applied and no operator has decided about it. */
export async function creatorStatus(
  context: Context,
  { address }: AddressCommand,
): Promise<CreatorStatusView> {
  const creator = await context.storage.read((reader) => reader.creators.find(address));
  return creatorStatusView(creator ?? unknownCreator(address));
}
