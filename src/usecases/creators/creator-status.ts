import { creatorStatusView, unknownCreator, type CreatorStatusView } from '../../views/creator';
import type { AddressCommand } from '../commands';
import type { Context } from '../context';

/** `none` for a wallet that never applied and about which no operator has decided (docs/specification.md "Creator status"). */
export async function creatorStatus(
  context: Context,
  { address }: AddressCommand,
): Promise<CreatorStatusView> {
  const creator = await context.storage.read((reader) => reader.creators.find(address));
  return creatorStatusView(creator ?? unknownCreator(address));
}
