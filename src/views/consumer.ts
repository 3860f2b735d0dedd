import type { ParkedFact } from '../domain/consumers';
import type { EventPositionProblem } from '../domain/event-position';
import { isoTime } from './format';

export const CONSUMER_STATUSES = ['running', 'idle', 'stopped'] as const;

export interface ConsumerView {
  name: string;
  /** `idle`: no instance works on the consumer. `stopped`: no fact is handled until an operator acts. */
  status: (typeof CONSUMER_STATUSES)[number];
  /** Why the consumer is stopped. `null` while it is not stopped. */
  reason: EventPositionProblem | 'PARKED_LIMIT' | null;
  position: { epoch: string; seq: number };
  /** How many facts there are after the position. */
  behind: number;
  /** When the oldest fact after the position was made. */
  waitingSince: string | null;
  /** The instance that works on the consumer. */
  owner: string | null;
  failures: number;
  lastError: string | null;
  parked: number;
  createdAt: string;
  updatedAt: string;
}

export interface ConsumerListView {
  consumers: ConsumerView[];
}

export interface RemovedConsumerView {
  name: string;
  removed: true;
}

export interface ParkedFactView {
  /** `<epoch>:<seq>`. */
  id: string;
  seq: number;
  marketId: number | null;
  kind: string;
  createdAt: string;
  /** The data of the fact, as the outbox had them. */
  data: Record<string, unknown>;
  failures: number;
  error: string;
  parkedAt: string;
  redo: boolean;
}

export interface ParkedFactListView {
  parked: ParkedFactView[];
  total: number;
  limit: number;
  offset: number;
}

export const parkedFactId = ({ epoch, seq }: Pick<ParkedFact, 'epoch' | 'seq'>): string => `${epoch}:${seq}`;

export function parkedFactView(parked: ParkedFact): ParkedFactView {
  const { seq, fact, failures, error, parkedAt, redo } = parked;
  const { marketId, kind, createdAt, data } = fact;
  return {
    id: parkedFactId(parked),
    seq,
    marketId,
    kind,
    createdAt: isoTime(createdAt),
    data,
    failures,
    error,
    parkedAt: isoTime(parkedAt),
    redo,
  };
}
