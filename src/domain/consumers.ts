/** Consumers are named readers of facts. The storage keeps the position of each consumer. */
import type { StoredFact } from './events';

export interface Consumer {
  name: string;
  /**
   * `epoch` and `seq` are the position of the consumer. Every fact up to the position was handled or parked,
   * or was passed over at the start or by an operator.
   */
  epoch: string;
  seq: number;
  /**
   * The token rises when an owner begins, and when an operator moves the position. An owner with an older token
   * can write nothing.
   */
  token: number;
  /**
   * The instance that handles the facts. `null`: no instance does. The owner may have died, and counts as the
   * owner until `ownedUntil`.
   */
  owner: string | null;
  ownedUntil: number;
  /** The number of failed attempts at the facts that the consumer tries at present. */
  failures: number;
  lastError: string | null;
  createdAt: number;
  updatedAt: number;
}

/**
 * A fact that was put aside because its handler had failed too often. The parked fact stays when the fact
 * leaves the outbox.
 */
export interface ParkedFact {
  consumer: string;
  epoch: string;
  seq: number;
  fact: Omit<StoredFact, 'seq'>;
  failures: number;
  error: string;
  parkedAt: number;
  /** Whether an operator wants the fact to be handled once more. */
  redo: boolean;
}
