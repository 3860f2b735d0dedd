import type { ParkedFact } from '../domain/consumers';
import type { EventPositionProblem } from '../domain/event-position';
import { isoTime } from './format';

export const CONSUMER_STATUSES = ['running', 'idle', 'stopped'] as const;

export interface ConsumerView {
  /** The name that the host has given the consumer. */
  name: string;
  /** idle: no instance works on the consumer; stopped: no fact is handled until an operator acts. */
  status: (typeof CONSUMER_STATUSES)[number];
  /** Why the consumer is stopped; null while it is not stopped. */
  reason: EventPositionProblem | 'PARKED_LIMIT' | null;
  /** Facts up to this position were handled or parked, or passed over at the start or by an operator. */
  position: {
    /** The name of the sequence of facts. */
    epoch: string;
    /** The number of a fact in this sequence. */
    seq: number;
  };
  /** How many facts there are after the position. */
  behind: number;
  /** When the oldest fact after the position was made, ISO 8601. */
  waitingSince: string | null;
  /** The instance that works on the consumer. */
  owner: string | null;
  /** Failed attempts at the facts that are tried at present. */
  failures: number;
  /** The error of the last failed attempt. */
  lastError: string | null;
  /** How many facts are parked. */
  parked: number;
  /** When it was first used, ISO 8601. */
  createdAt: string;
  /** When its position or its owner was last written, ISO 8601. */
  updatedAt: string;
}

export interface ConsumerListView {
  consumers: ConsumerView[];
}

export interface RemovedConsumerView {
  /** The name that the host has given the consumer. */
  name: string;
  removed: true;
}

export interface ParkedFactView {
  /** `<epoch>:<seq>` of the fact. */
  id: string;
  /** The number of the fact. */
  seq: number;
  /** The number of the market. */
  marketId: number | null;
  /** The kind of the fact. */
  kind: string;
  /** When the fact was made, ISO 8601. */
  createdAt: string;
  /** The data of the fact, as the outbox had them. */
  data: Record<string, unknown>;
  /** Failed attempts. */
  failures: number;
  /** The error of the last attempt. */
  error: string;
  /** When it was parked, ISO 8601. */
  parkedAt: string;
  /** Whether the handler is to try the fact once more. */
  redo: boolean;
}

export interface ParkedFactListView {
  parked: ParkedFactView[];
  /** How many rows there are on all pages together. */
  total: number;
  /** How many rows a page has at most. */
  limit: number;
  /** How many rows before this page were skipped. */
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
