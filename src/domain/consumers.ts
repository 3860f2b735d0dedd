/** Consumers: named readers of facts, whose position is stored. */
import type { OutboxEvent } from './events';

export interface Consumer {
  name: string;
  /** With `seq` the position: every fact up to it was handled or parked. */
  epoch: string;
  seq: number;
  /**
   * Rises when an owner begins, and when an operator moves the position. An owner with an older token writes
   * nothing any more.
   */
  token: number;
  /** The instance that handles the facts; `null`: none. It may have died before `ownedUntil`. */
  owner: string | null;
  ownedUntil: number;
  /** Failed attempts at the facts that are tried at present. */
  failures: number;
  lastError: string | null;
  createdAt: number;
  updatedAt: number;
}

/** A fact that was put aside because its handler had failed too often. It outlives the fact in the outbox. */
export interface ParkedFact {
  consumer: string;
  epoch: string;
  seq: number;
  fact: Omit<OutboxEvent, 'seq'>;
  failures: number;
  error: string;
  parkedAt: number;
  /** Whether an operator wants it to be handled once more. */
  redo: boolean;
}
