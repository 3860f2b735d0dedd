import type { EventPositionProblem } from '../../domain/event-position';
import type { Context } from '../context';
import { consumerStates, type ConsumerState, type ConsumerStop } from './consumer-states';
import { MOST_PARKED } from './tenure';

const CHOOSE = 'an operator has to choose the position from which it resumes';

const STOPS: Record<EventPositionProblem, string> = {
  EPOCH: `its position belongs to another epoch, as after a restore: ${CHOOSE}`,
  SEQ_AHEAD: `its position is ahead of the newest fact, as after a restore: ${CHOOSE}`,
  RETENTION: `facts that it has not handled were removed because of their age: ${CHOOSE}`,
};

/** Reports the alarms about the stored state of all consumers, also of consumers on which no instance works. */
export async function watchConsumers(
  context: Pick<Context, 'storage' | 'clock' | 'alarms' | 'config'>,
): Promise<void> {
  const { storage, clock, alarms, config } = context;
  const states = await storage.read(consumerStates);
  const keptSince = clock.now() - config.eventRetentionMs;
  const found = (reasonFor: (state: ConsumerState) => string | null): { subject: string; reason: string }[] =>
    states.flatMap((state) => {
      const reason = reasonFor(state);
      return reason === null ? [] : [{ subject: `consumer ${state.name}`, reason }];
    });
  alarms.report(
    'consumer-stopped',
    found(({ stopped }) => (stopped === null ? null : reasonOf(stopped))),
  );
  alarms.report(
    'consumer-parked',
    found(({ parked }) => (parked === 0 ? null : 'facts are parked: redo them or skip them')),
  );
  alarms.report(
    'consumer-retention',
    found(({ stopped, waitingSince }) =>
      holdsPruning(stopped) && waitingSince !== null && waitingSince < keptSince
        ? 'facts are kept for it beyond their time: it has to catch up, or to be removed'
        : null,
    ),
  );
}

function reasonOf(stopped: ConsumerStop): string {
  if (stopped === 'PARKED_LIMIT')
    return `it has ${MOST_PARKED} parked facts, and no room for another: redo them or skip them`;
  return STOPS[stopped];
}

/**
 * Whether a consumer that stopped for this reason keeps facts from being removed. A consumer whose position
 * is of another epoch, or ahead of the newest fact, can use none of the stored facts.
 */
export const holdsPruning = (stopped: ConsumerStop | null): boolean =>
  stopped !== 'EPOCH' && stopped !== 'SEQ_AHEAD';
