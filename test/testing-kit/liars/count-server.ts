/** Rate limits that share a server, which a test can make fail. */
import { createLocalFailures, createLocalWindow } from '../../../src/rate-limit/counters';
import type { FailureCounter, RateLimitBackend, RollingWindow } from '../../../src/ports/rate-limit';
import type { RateLimitUnderTest } from '../../../testing';

/** The server of a test: the counts that all instances share, and its state. */
export interface World {
  windows: Map<number, RollingWindow>;
  failures: Map<number, FailureCounter>;
  isCut: boolean;
  /** Whether the server sends half of each body while it is cut off. */
  isHalf: boolean;
  /** What the server makes of each body; `null` while it answers as it should. */
  nonsense: ((body: string) => string) | null;
  /** How the server fails; `null` while it answers or is silent. */
  fails: 'refused' | 'status' | 'redirect' | null;
  /** The HTTP status of its answers while it fails with one. */
  status: number;
  /** Where it redirects to. */
  location: string;
  isStarted: boolean;
}

export const SECRET = 'key-of-the-counters';

export type RateLimitFault = (sound: RateLimitBackend, world: World) => Partial<RateLimitBackend>;

export function shared<T>(map: Map<number, T>, key: number, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** A window that also keeps its own count, and decides by that count while the server is away. */
function readable(world: World, { hit, peek }: RollingWindow, own: RollingWindow): RollingWindow {
  const isAway = (): boolean => world.isCut || world.fails !== null;
  return {
    async hit(...input) {
      const alone = own.hit(...input);
      if (isAway()) return alone;
      const decision = await hit(...input);
      world.nonsense?.(JSON.stringify(decision));
      return decision;
    },
    peek: (...input) => (isAway() ? own : { peek }).peek(...input),
  };
}

export function rateLimitWith(fault: RateLimitFault): RateLimitUnderTest {
  const world: World = {
    windows: new Map(),
    failures: new Map(),
    isCut: false,
    isHalf: false,
    nonsense: null,
    fails: null,
    status: 200,
    location: '',
    isStarted: false,
  };
  const make = (): RateLimitBackend => {
    const sound: RateLimitBackend = {
      name: 'shared',
      window: (length) =>
        readable(
          world,
          shared(world.windows, length, () => createLocalWindow(length)),
          createLocalWindow(length),
        ),
      failures: (length) => shared(world.failures, length, () => createLocalFailures(length)),
      start: async () => void (world.isStarted = true),
    };
    return { ...sound, ...fault(sound, world) };
  };
  return {
    backend: make(),
    another: async () => make(),
    async cutOff(form) {
      world.isCut = true;
      world.isHalf = form === 'halfBody';
      return async () => void (world.isCut = false);
    },
    refuse: async () => void (world.fails = 'refused'),
    async garble(nonsense) {
      world.nonsense = nonsense;
      return async () => void (world.nonsense = null);
    },
    async failWith(status) {
      Object.assign(world, { fails: 'status', status });
      return async () => void (world.fails = null);
    },
    async redirect(address) {
      Object.assign(world, { fails: 'redirect', location: address });
    },
    secrets: [SECRET],
    destroy: async () => undefined,
  };
}
