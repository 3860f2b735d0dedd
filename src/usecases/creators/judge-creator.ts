import { judge } from '../../domain/creator';
import { creatorView, type CreatorView } from '../../views/creator';
import { changeCreator } from './change-creator';
import type { JudgeCreatorCommand } from '../commands';
import type { Context } from '../context';

/** An operator approves, rejects or suspends a wallet. The wallet need not have applied. */
export async function judgeCreator(context: Context, command: JudgeCreatorCommand): Promise<CreatorView> {
  const creator = await changeCreator(context, command.address, (current, now) =>
    judge(command.address, current, command, now),
  );
  return creatorView(creator);
}
