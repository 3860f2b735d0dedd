/** Commands that wait for their turn. The socket is read no further while many wait. */

/** Commands that were read already may still come, so the list can grow by what one read brings. */
const PAUSE_AT = 32;

/** Whose commands they are. */
export interface InboxOwner<Command> {
  run(command: Command): Promise<void>;
  /** Nothing more is read from the client. */
  pause(): void;
  resume(): void;
}

export class Inbox<Command> {
  readonly #owner: InboxOwner<Command>;
  #waiting: Command[] = [];
  #isRunning = false;
  #isPaused = false;

  constructor(owner: InboxOwner<Command>) {
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
    // An array that was used keeps its room.
    this.#waiting = [];
    this.#isRunning = false;
  }
}
