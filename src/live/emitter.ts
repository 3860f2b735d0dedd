import { EventEmitter } from 'eventemitter3';
import {
  EVENT_NAMES,
  LOCAL_EVENT_NAMES,
  type EventName,
  type LocalEvent,
  type LocalEventName,
  type PublishedEvent,
} from '../domain/events';
import { nearestName } from '../domain/options';
import type { Logger } from '../ports/logger';

/** The names of the events of facts, and of the local events that an instance emits about itself. */
export type ListenedName = EventName | LocalEventName;
export type ListenedEvent<Name extends ListenedName> = Name extends EventName
  ? PublishedEvent<Name>
  : Name extends LocalEventName
    ? LocalEvent<Name>
    : never;

/**
 * A listener may be asynchronous. If a listener throws or rejects, the error is logged, and the other listeners
 * still get the event. The result of a listener is ignored.
 */
export type EventListener<Name extends ListenedName> = (event: ListenedEvent<Name>) => unknown;

/**
 * Typed events: `pm.events.on('trade', (event) => event.data.yesPrice)`. An event and its `data` are frozen,
 * because listeners share them.
 */
export interface EventListeners {
  /** Calls the listener with each event of this name, in order. */
  on<Name extends ListenedName>(event: Name, listener: EventListener<Name>): this;
  /** Calls the listener with the next event of this name only. */
  once<Name extends ListenedName>(event: Name, listener: EventListener<Name>): this;
  /** Removes the listener, even if it was added several times. */
  off<Name extends ListenedName>(event: Name, listener: EventListener<Name>): this;
}

export interface Emitter extends EventListeners {
  publish(event: PublishedEvent | LocalEvent): void;
  /** Whether any event of facts has a listener. Listeners of local events do not count. */
  hasListeners(): boolean;
}

type SafeListener = (event: PublishedEvent | LocalEvent) => void;

export function createEmitter(logger: Logger): Emitter {
  const emitter = new EventEmitter<Record<ListenedName, SafeListener>>();
  // One wrapper for each listener, so that `off` finds the wrapper that `on` has added.
  const safeListeners = new WeakMap<object, SafeListener>();
  const safe = <Name extends ListenedName>(listener: EventListener<Name>): SafeListener => {
    // The cast is safe, because a listener gets only events of the name for which it was added.
    const wrapped = safeListeners.get(listener) ?? safeListener(listener as AnyListener, logger);
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
    hasListeners: () => emitter.eventNames().some((name) => EVENT_NAMES.includes(name)),
  };
}

/** A listener for a misspelt event would never be called, so an unknown name is refused. */
function checkSubscription(method: string, event: unknown, listener: unknown): void {
  const name = String(event);
  const names = [...EVENT_NAMES, ...LOCAL_EVENT_NAMES];
  if (!names.includes(name)) {
    const near = nearestName(name, names);
    const hint = near === null ? `the events are: ${names.join(', ')}` : `did you mean ${near}?`;
    throw new TypeError(`events.${method}: unknown event ${name}; ${hint}`);
  }
  if (typeof listener !== 'function')
    throw new TypeError(`events.${method}: the listener of ${name} must be a function`);
}

type AnyListener = (event: PublishedEvent | LocalEvent) => void | Promise<void>;

function safeListener(listener: AnyListener, logger: Logger): SafeListener {
  return (event) => {
    const seq = 'seq' in event ? { seq: event.seq } : {};
    const failed = (err: unknown): void =>
      logger.error({ err, event: event.event, ...seq }, 'an event listener failed');
    try {
      const result = listener(event);
      // The promise may come from another realm, in which case `instanceof Promise` is false.
      if (typeof result === 'object') Promise.resolve(result).catch(failed);
    } catch (err) {
      failed(err);
    }
  };
}
