import type { NumberedFact } from '../../domain/events';
import { eventsOfFact } from '../../events/events-of-fact';
import type { ConsumedFact, ConsumerDefinition } from './options';

const LONGEST_ERROR = 500;

export interface HandlerFailure {
  error: unknown;
}

/** Resolves with `null` when the handler has handled the fact. */
export async function callHandler(
  { handler }: Pick<ConsumerDefinition, 'handler'>,
  fact: NumberedFact,
  call: Omit<ConsumedFact, 'seq' | 'marketId'>,
): Promise<HandlerFailure | null> {
  const { seq, marketId } = fact;
  try {
    const events = eventsOfFact(fact);
    // A fact of a kind that only a newer version of the service knows has no events here.
    if (events.length > 0) await handler(events, { ...call, seq, marketId });
    return null;
  } catch (error) {
    return { error };
  }
}

/**
 * The start of the error's text. NUL and lone surrogates are replaced, because some databases cannot store
 * them.
 */
export function textOfFailure({ error }: HandlerFailure): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, LONGEST_ERROR).replaceAll(/[\0\p{Cs}]/gu, '\ufffd');
}
