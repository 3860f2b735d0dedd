import type { StoredFact } from './events';

export interface Consumer {
  name: string;
  /**
   * `epoch` and `seq` are the position of the consumer. Every fact up to the position was handled or parked,
   * or was skipped: at the consumer's start, or when an operator moved the position.
   */
  epoch: string;
  seq: number;
  /**
   * The token rises when an instance becomes the owner, and when an operator moves the position. A write of an
   * owner that has an older token is refused.
   */
  token: number;
  /**
   * The instance that handles the facts. `null` if there is none. An owner that has died still counts as the
   * owner until `ownedUntil`.
   */
  owner: string | null;
  ownedUntil: number;
  /** How many attempts have failed at the facts that the consumer is trying now. */
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
