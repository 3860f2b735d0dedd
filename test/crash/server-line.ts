import { standBy, type MortalServer } from './mortal-server';
import type { ProgramSettings } from './mortal-program';

export interface ServerLine {
  now(): number;
  /** Returns the current server. If that server is dead, a new server starts. */
  server(): Promise<MortalServer>;
  another(): Promise<MortalServer>;
  /** Sets the clocks of these servers ahead, and the clocks of servers that start later. */
  pass(byMs: number, ...servers: MortalServer[]): Promise<void>;
  close(): Promise<void>;
}

export function createServerLine<Settings extends ProgramSettings>(
  script: string,
  storage: string,
  settingsOf: (common: ProgramSettings) => Settings,
): ServerLine {
  const started: MortalServer[] = [];
  let next = standBy<Settings>(script, storage);
  let current: MortalServer | null = null;
  let aheadMs = 0;

  async function another(): Promise<MortalServer> {
    const taken = next;
    next = standBy(script, storage);
    // The interval is a day, so the jobs run when the server starts and when a test sends the order `run jobs`.
    const server = await taken.start(settingsOf({ storage, aheadMs, jobIntervalMs: 86_400_000 }));
    started.push(server);
    return server;
  }

  return {
    now: () => Date.now() + aheadMs,
    async server() {
      if (current === null || current.isDead()) current = await another();
      return current;
    },
    another,
    async pass(byMs, ...servers) {
      aheadMs += byMs;
      for (const server of servers) await server.tell({ order: 'advance', byMs });
    },
    async close() {
      for (const server of [...started, next]) await server.kill();
    },
  };
}
