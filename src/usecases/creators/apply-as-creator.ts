import { applyForApproval } from '../../domain/creator';
import { creatorStatusView, type CreatorStatusView } from '../../views/creator';
import { changeCreator } from './change-creator';
import type { ApplyAsCreatorCommand } from '../commands';
import { consumeChallenge } from '../keys/consume-challenge';
import type { Context } from '../context';

export async function applyAsCreator(
  context: Context,
  command: ApplyAsCreatorCommand,
): Promise<CreatorStatusView> {
  await consumeChallenge(context, command, { action: 'apply', keyId: null });
  const creator = await changeCreator(context, command.address, (current, now) =>
    applyForApproval(command.address, current, command, now),
  );
  return creatorStatusView(creator);
}
