/** The commands of a client on a socket. The `id` of an answer is the number of its command. */
import type { EventPositions } from './event-positions';
import { ACCOUNT } from './server-messages';

/** A command whose answer has not come. */
export interface OpenCommand {
  channels: readonly string[];
  /** Whether the channels begin anew, without `since`. The client then needs their present data. */
  fresh: boolean;
  /** Sends the command again for the channels that still need it. */
  again(isFollowed: (channel: string) => boolean): void;
}

export interface CommandSender {
  /** `head`: the `seq` of the newest fact of the server. It shows how many facts the client has missed. */
  subscribe(channels: readonly string[], head: number): void;
  unsubscribe(channels: readonly string[]): void;
  /** The caller subscribes to the channel `account` after the answer. */
  authenticate(apiKey: string): void;
  /** Returns the open command with this number, which then is open no longer. `undefined`: there is none. */
  answered(id: number | undefined): OpenCommand | undefined;
}

export interface CommandSenderPorts {
  positions: Pick<EventPositions, 'since'>;
  /** The server may leave out messages of these channels. */
  conflated: ReadonlySet<string>;
  send(command: object): void;
}

export function createCommandSender({ positions, conflated, send }: CommandSenderPorts): CommandSender {
  const open = new Map<number, OpenCommand>();
  let lastId = 0;

  function give(op: string, fields: object, command: OpenCommand): void {
    lastId += 1;
    open.set(lastId, command);
    send({ op, id: lastId, ...fields });
  }

  function subscribe(channels: readonly string[], head: number): void {
    const since = positions.since(channels, head);
    const fields = {
      channels,
      ...(since !== null && { since }),
      ...(channels.every((channel) => conflated.has(channel)) && { conflate: true }),
    };
    give('subscribe', fields, {
      channels,
      fresh: since === null,
      again(isFollowed) {
        const present = channels.filter(isFollowed);
        if (present.length > 0) subscribe(present, head);
      },
    });
  }

  function unsubscribe(channels: readonly string[]): void {
    // The server may still confirm an earlier subscription to these channels. The client ignores that answer.
    for (const [id, command] of open)
      if (command.channels.every((channel) => channels.includes(channel))) open.delete(id);
    give(
      'unsubscribe',
      { channels },
      {
        channels,
        fresh: false,
        again(isFollowed) {
          const left = channels.filter((channel) => !isFollowed(channel));
          if (left.length > 0) unsubscribe(left);
        },
      },
    );
  }

  function authenticate(apiKey: string): void {
    const again = (): void => authenticate(apiKey);
    give('auth', { apiKey }, { channels: [ACCOUNT], fresh: false, again });
  }

  return {
    subscribe,
    unsubscribe,
    authenticate,
    answered(id = 0) {
      const command = open.get(id);
      open.delete(id);
      return command;
    },
  };
}
