/** Runs commands one after another. While many commands wait, nothing is read from the socket. */

/**
 * From this many waiting commands on, nothing more is read. Commands that were read already still come, so
 * the list can grow by the commands of one read.
 */
const PAUSE_AT = 32;

export interface CommandQueueOwner<Command> {
  run(command: Command): Promise<void>;
  pause(): void;
  resume(): void;
}

export class CommandQueue<Command> {
  readonly #owner: CommandQueueOwner<Command>;
  #waiting: Command[] = [];
  #isRunning = false;
  #isPaused = false;

  constructor(owner: CommandQueueOwner<Command>) {
    this.#owner = owner;
  }

  add(command: Command): void {
    this.#waiting.push(command);
    if (!this.#isPaused && this.#waiting.length >= PAUSE_AT) {
      this.#isPaused = true;
      this.#owner.pause();
    }
    if (!this.#isRunning) void this.#runAll();
  }

  clear(): void {
    this.#waiting = [];
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await this.#owner.run(next);
      if (this.#isPaused && this.#waiting.length < PAUSE_AT) {
        this.#isPaused = false;
        this.#owner.resume();
      }
    }
    this.#waiting = [];
    this.#isRunning = false;
  }
}
