/** Stops calls to a voter that does not answer, because each call could take the whole time limit. */
import { VoterError } from './errors';

export interface CircuitBreaker {
  /**
   * Throws after `failures` failures in a row: the circuit is then open. One call in every `probeAfterMs` is
   * let through, to find out whether the voter answers again.
   */
  enter(now: number): void;
  succeeded(): void;
  failed(now: number): void;
}

export function createCircuitBreaker({ failures = 20, probeAfterMs = 10_000 } = {}): CircuitBreaker {
  let inARow = 0;
  let probeAt = 0;
  return {
    enter(now) {
      if (inARow < failures) return;
      if (now < probeAt) throw new CircuitOpenError();
      probeAt = now + probeAfterMs;
    },
    succeeded() {
      inARow = 0;
    },
    failed(now) {
      inARow += 1;
      if (inARow === failures) probeAt = now + probeAfterMs;
    },
  };
}

export class CircuitOpenError extends VoterError {
  override name = 'CircuitOpenError';
  constructor() {
    super('the voter has failed many times in a row and is not asked for now');
  }
}
