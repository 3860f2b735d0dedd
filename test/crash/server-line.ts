import { standBy, type MortalServer } from './mortal-server';
import type { ProgramSettings } from './mortal-program';

export interface ServerLine {
  /** The present instant by the clock of the servers, in milliseconds. */
  now(): number;
  /** The current server. If it is dead, a new server starts. */
  server(): Promise<MortalServer>;
  /** Starts a server beside the current server. */
  another(): Promise<MortalServer>;
  /** Sets the clocks of these servers ahead, and the clocks of servers that start later. */
  pass(byMs: number, ...servers: MortalServer[]): Promise<void>;
  close(): Promise<void>;
}

/** `script`: a path from the root of the project. `settingsOf`: the settings of a server that starts now. */
export function createServerLine<Settings extends ProgramSettings>(
  script: string,
  settingsOf: (common: Pick<ProgramSettings, 'aheadMs' | 'jobIntervalMs'>) => Settings,
): ServerLine {
  const started: MortalServer[] = [];
  let next = standBy<Settings>(script);
  let current: MortalServer | null = null;
  let aheadMs = 0;

  async function another(): Promise<MortalServer> {
    const taken = next;
    next = standBy(script);
    // The jobs run when a server starts, and when a test sends the order `run jobs`.
    const server = await taken.start(settingsOf({ aheadMs, jobIntervalMs: 86_400_000 }));
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
