/**
 * How far a reader has come. `epoch` names the sequence of facts. When the storage is created anew, the epoch
 * changes and `seq` begins at 1 again.
 */
export interface EventPosition {
  /** The name of the sequence of facts. */
  epoch: string;
  /** The number of the last fact that the reader has. 0 stands for a reader that has no fact. */
  seq: number;
}

/**
 * Where a reader begins: at a position, with the oldest stored fact (`oldest`), or after the newest fact
 * (`now`).
 */
export type EventStart = 'oldest' | 'now' | EventPosition;

/**
 * `EPOCH`: the position belongs to another sequence. `SEQ_AHEAD`: no fact has that number yet. `RETENTION`:
 * facts after the position were removed because of their age.
 */
export type EventPositionProblem = 'EPOCH' | 'SEQ_AHEAD' | 'RETENTION';

const MEANINGS: Record<EventPositionProblem, string> = {
  EPOCH: 'The position belongs to another epoch',
  SEQ_AHEAD: 'The position is ahead of the newest fact',
  RETENTION: 'Facts after the position were removed because of their age',
};

/**
 * A reader cannot continue from its position. `code` says why.
 */
export class EventPositionError extends Error {
  declare readonly name: 'EventPositionError';
  readonly code: EventPositionProblem;

  constructor(code: EventPositionProblem, position: EventPosition) {
    super(`${MEANINGS[code]} (epoch ${position.epoch}, seq ${position.seq})`);
    this.name = 'EventPositionError';
    this.code = code;
  }
}

/** Recognises the error by its name, because two copies of the package have two classes. */
export function isEventPositionError(error: unknown): error is EventPositionError {
  return error instanceof Error && error.name === 'EventPositionError' && 'code' in error;
}

/**
 * Why a reader cannot continue from the position. `null` if it can. `newest` is the position of the newest fact.
 * `nextSeq` is the number of the first stored fact after the position, or `null` if there is no such fact.
 */
export function positionProblem(
  position: EventPosition,
  newest: EventPosition,
  nextSeq: number | null,
): EventPositionProblem | null {
  if (position.epoch !== newest.epoch) return 'EPOCH';
  if (position.seq > newest.seq) return 'SEQ_AHEAD';
  if (position.seq === newest.seq) return null;
  return nextSeq === position.seq + 1 ? null : 'RETENTION';
}
