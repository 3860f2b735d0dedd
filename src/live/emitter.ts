import { EventEmitter } from 'eventemitter3';
import { EVENT_NAMES, type EventName, type PublishedEvent } from '../domain/events';
import { nearestName } from '../domain/options';
import type { Logger } from '../ports/logger';

/** May be asynchronous. An error that it throws or rejects with is logged; the other listeners still get the event. */
export type EventListener<Name extends EventName> = (event: PublishedEvent<Name>) => void | Promise<void>;

/** Typed events: `pm.events.on('trade', (event) => event.data.yesPrice)`. Events are frozen, because listeners share them. */
export interface PredictionMarketEvents {
  on<Name extends EventName>(event: Name, listener: EventListener<Name>): this;
  once<Name extends EventName>(event: Name, listener: EventListener<Name>): this;
  /** Removes the listener, also when it was added several times. */
  off<Name extends EventName>(event: Name, listener: EventListener<Name>): this;
}

/** The emitter as the relay uses it. */
export interface Emitter extends PredictionMarketEvents {
  publish(event: PublishedEvent): void;
  /** Whether there is a listener of any event. */
  hasListeners(): boolean;
}

type SafeListener = (event: PublishedEvent) => void;

export function createEmitter(logger: Logger): Emitter {
  const emitter = new EventEmitter<Record<EventName, SafeListener>>();
  // One wrapper for each listener, so that `off` finds what `on` has added.
  const safeListeners = new WeakMap<object, SafeListener>();
  const safe = <Name extends EventName>(listener: EventListener<Name>): SafeListener => {
    const wrapped = safeListeners.get(listener) ?? safeListener(listener as EventListener<EventName>, logger);
    safeListeners.set(listener, wrapped);
    return wrapped;
  };
  return {
    on(event, listener) {
      checkSubscription('on', event, listener);
      emitter.on(event, safe(listener));
      return this;
    },
    once(event, listener) {
      checkSubscription('once', event, listener);
      emitter.once(event, safe(listener));
      return this;
    },
    off(event, listener) {
      emitter.off(event, safe(listener));
      return this;
    },
    publish(event) {
      if (emitter.listenerCount(event.event) === 0) return;
      Object.freeze(event.data);
      emitter.emit(event.event, Object.freeze(event));
    },
    hasListeners: () => emitter.eventNames().length > 0,
  };
}

/** A listener for a misspelt event would never be called, so an unknown name is refused. */
function checkSubscription(method: string, event: unknown, listener: unknown): void {
  const name = String(event);
  if (!EVENT_NAMES.includes(name)) {
    const near = nearestName(name, EVENT_NAMES);
    const hint = near === null ? `the events are: ${EVENT_NAMES.join(', ')}` : `did you mean ${near}?`;
    throw new TypeError(`events.${method}: unknown event ${name}; ${hint}`);
  }
  if (typeof listener !== 'function')
    throw new TypeError(`events.${method}: the listener of ${name} must be a function`);
}

function safeListener(listener: EventListener<EventName>, logger: Logger): SafeListener {
  return (event) => {
    const failed = (err: unknown): void =>
      logger.error({ err, event: event.event, seq: event.seq }, 'an event listener failed');
    try {
      const result = listener(event);
      // Not `instanceof Promise`: the promise may come from another realm, as under Jest.
      if (typeof result === 'object') Promise.resolve(result).catch(failed);
    } catch (err) {
      failed(err);
    }
  };
}
