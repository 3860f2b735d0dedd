/** The commands of a client on a socket. The answer names the number of its command. */
import type { EventPositions } from './event-positions';
import { ACCOUNT, isConflated } from './messages';

/** A command whose answer has not come. */
export interface OpenCommand {
  channel: string;
  /** Whether the channel begins with data that the client reads now. */
  fresh: boolean;
  again(): void;
}

export interface Commands {
  /** `head`: the newest message of the server, by which a long absence is known. */
  subscribe(channel: string, head: number): void;
  /** The channel of the wallet is subscribed after the answer. */
  authenticate(apiKey: string): void;
  /** The command that this answer belongs to. `undefined` when the client has no such command open. */
  answered(id: number | undefined): OpenCommand | undefined;
}

export interface CommandPorts {
  positions: Pick<EventPositions, 'since'>;
  send(command: object): void;
}

export function createCommands({ positions, send }: CommandPorts): Commands {
  const open = new Map<number, OpenCommand>();
  let lastId = 0;

  function give(op: string, fields: object, command: OpenCommand): void {
    lastId += 1;
    open.set(lastId, command);
    send({ op, id: lastId, ...fields });
  }

  function subscribe(channel: string, head: number): void {
    const since = positions.since(channel, head);
    const fields = {
      channels: [channel],
      ...(since !== null && { since }),
      ...(isConflated(channel) && { conflate: true }),
    };
    give('subscribe', fields, { channel, fresh: since === null, again: () => subscribe(channel, head) });
  }

  function authenticate(apiKey: string): void {
    give('auth', { apiKey }, { channel: ACCOUNT, fresh: false, again: () => authenticate(apiKey) });
  }

  return {
    subscribe,
    authenticate,
    answered(id = 0) {
      const command = open.get(id);
      open.delete(id);
      return command;
    },
  };
}
