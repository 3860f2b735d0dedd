/** Commands that wait for their turn. The socket is read no further while many wait. */

/** Commands that were read already may still come, so the list can grow by what one read brings. */
const PAUSE_AT = 32;

export interface Inbox<Command> {
  add(command: Command): void;
  clear(): void;
}

export function createInbox<Command>(
  run: (command: Command) => Promise<void>,
  reading: { pause(): void; resume(): void },
): Inbox<Command> {
  let waiting: Command[] = [];
  let isRunning = false;
  let isPaused = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await run(next);
      if (isPaused && waiting.length < PAUSE_AT) {
        isPaused = false;
        reading.resume();
      }
    }
    isRunning = false;
  }

  return {
    add(command) {
      waiting.push(command);
      if (!isPaused && waiting.length >= PAUSE_AT) {
        isPaused = true;
        reading.pause();
      }
      if (!isRunning) void runAll();
    },
    clear: () => void (waiting = []),
  };
}
