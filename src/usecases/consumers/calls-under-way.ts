import { steadyNow } from '../../ports/clock';
import type { Context } from '../context';
import type { ConsumerDefinition } from './options';

/**
 * A handler that works on one fact for longer than this raises the alarm `consumer-hangs`. The handler is not
 * stopped.
 */
export const HANGS_AFTER_MS = 300_000;
const MINUTE_MS = 60_000;

interface Call {
  name: string;
  seq: number;
  begunAt: number;
}

export interface CallsUnderWay {
  /** Wraps the handler, so that `report` knows the calls that are under way. */
  watched(definition: ConsumerDefinition): ConsumerDefinition;
  report(): void;
}

export function createCallsUnderWay({ clock, alarms }: Pick<Context, 'clock' | 'alarms'>): CallsUnderWay {
  // The calls in the order in which they began.
  const underWay = new Set<Call>();
  return {
    watched: (definition) => ({
      ...definition,
      async handler(events, fact) {
        const call: Call = { name: definition.name, seq: fact.seq, begunAt: steadyNow(clock) };
        underWay.add(call);
        try {
          await definition.handler(events, fact);
        } finally {
          underWay.delete(call);
        }
      },
    }),
    report() {
      const now = steadyNow(clock);
      const hanging = new Map<string, number>();
      for (const { name, seq, begunAt } of underWay)
        if (now - begunAt > HANGS_AFTER_MS && !hanging.has(name)) hanging.set(name, seq);
      const minutes = String(HANGS_AFTER_MS / MINUTE_MS);
      alarms.report(
        'consumer-hangs',
        [...hanging].map(([name, seq]) => ({
          subject: `consumer ${name}`,
          reason: `its handler has worked on fact ${String(seq)} for more than ${minutes} minutes`,
        })),
      );
    },
  };
}
