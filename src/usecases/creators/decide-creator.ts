import { decidedCreator, type CreatorVerdict } from '../../domain/creator';
import type { OperatorAction } from '../../domain/operator-acts';
import { creatorView, type CreatorView } from '../../views/creator';
import { checksumAddress } from '../../views/format';
import { changeCreator } from './change-creator';
import type { DecideCreatorCommand } from '../commands';
import type { OperatorContext } from '../context';
import { logAct } from '../operators/log-act';

const ACTIONS: Record<CreatorVerdict, OperatorAction> = {
  approved: 'creator.approve',
  rejected: 'creator.reject',
  suspended: 'creator.suspend',
};

/** Stores the verdict of an operator on a wallet. The wallet need not have applied. */
export async function decideCreator(
  context: OperatorContext,
  command: DecideCreatorCommand,
): Promise<CreatorView> {
  const { address, verdict, reason } = command;
  const creator = await changeCreator(
    context,
    address,
    (current, now) => decidedCreator(address, current, command, now),
    (transaction) =>
      logAct(context, transaction, {
        action: ACTIONS[verdict],
        target: checksumAddress(address),
        details: reason === null ? {} : { reason },
      }),
  );
  return creatorView(creator);
}
