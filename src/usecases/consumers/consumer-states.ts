import type { Consumer } from '../../domain/consumers';
import { positionProblem, type EventPositionProblem } from '../../domain/event-position';
import type { Reader } from '../../ports/storage';
import { newestPosition } from '../facts/read-facts';
import { MOST_PARKED } from './tenure';

/** Why a consumer handles no facts until an operator acts. */
export type ConsumerStop = EventPositionProblem | 'PARKED_LIMIT';

export interface ConsumerState extends Consumer {
  parked: number;
  /** The number of facts after the consumer's position. */
  lag: number;
  /** When the oldest fact after the position was made. `null` when there is no such fact. */
  waitingSince: number | null;
  stopped: ConsumerStop | null;
}

export async function consumerStates(reader: Reader): Promise<ConsumerState[]> {
  // The newest position is read after the consumers, so that no consumer can seem to be ahead of it.
  const consumers = await reader.consumers.list();
  const newest = await newestPosition(reader);
  return Promise.all(
    consumers.map(async (consumer) => {
      const [next] = await reader.events.after(consumer.seq, 1);
      const problem = positionProblem(consumer, newest, next?.seq ?? null);
      return {
        ...consumer,
        lag: Math.max(newest.seq - consumer.seq, 0),
        waitingSince: next?.createdAt ?? null,
        stopped: problem ?? (consumer.parked >= MOST_PARKED ? ('PARKED_LIMIT' as const) : null),
      };
    }),
  );
}
