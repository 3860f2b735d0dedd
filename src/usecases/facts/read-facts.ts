import type { NumberedFact, StoredFact } from '../../domain/events';
import {
  EventPositionError,
  positionProblem,
  type EventPosition,
  type EventStart,
} from '../../domain/event-position';
import type { Reader } from '../../ports/storage';

export const EPOCH_SETTING = 'event-epoch';

/** The position of the newest fact. Its epoch is empty until a relay has started for the first time. */
export async function newestPosition(reader: Reader): Promise<EventPosition> {
  const [epoch, seq] = await Promise.all([reader.settings.get(EPOCH_SETTING), reader.events.head()]);
  return { epoch: epoch ?? '', seq };
}

/**
 * The facts, if none is missing after `seq`. `null` if a fact is missing. Numbers have no gaps, so a missing
 * number belongs to a fact that was removed because of its age.
 */
export function withoutGap(rows: readonly StoredFact[], seq: number): NumberedFact[] | null {
  const isNext = (row: StoredFact, index: number): row is NumberedFact => row.seq === seq + index + 1;
  return rows.every(isNext) ? [...rows] : null;
}

/**
 * At most `limit` facts after the position, in order and without a gap. Empty when there are no such facts.
 * @throws EventPositionError RETENTION when facts after the position were removed.
 */
export async function factsAfter(
  reader: Reader,
  position: EventPosition,
  limit: number,
): Promise<NumberedFact[]> {
  const facts = withoutGap(await reader.events.after(position.seq, limit), position.seq);
  if (facts === null) throw new EventPositionError('RETENTION', position);
  return facts;
}

/** @throws EventPositionError when a reader cannot continue from the position. */
export async function checkPosition(reader: Reader, position: EventPosition): Promise<void> {
  // The newest position is read first. Otherwise a fact that is numbered between the two reads would look
  // like a gap.
  const newest = await newestPosition(reader);
  const [next] = await reader.events.after(position.seq, 1);
  const problem = positionProblem(position, newest, next?.seq ?? null);
  if (problem !== null) throw new EventPositionError(problem, position);
}

/** The position of a reader that begins at `from`. @throws EventPositionError if no reader can continue from it. */
export async function startPosition(reader: Reader, from: EventStart): Promise<EventPosition> {
  if (typeof from === 'object') {
    await checkPosition(reader, from);
    return from;
  }
  const newest = await newestPosition(reader);
  if (from === 'now') return newest;
  const [oldest] = await reader.events.after(0, 1);
  return { epoch: newest.epoch, seq: (oldest?.seq ?? newest.seq + 1) - 1 };
}
