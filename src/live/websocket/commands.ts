/** The commands of one socket, one after another. */
import { PredictionMarketError, UNAUTHORIZED_MESSAGE } from '../../domain/errors';
import type { ApiKey } from '../../domain/types';
import { checksumAddress } from '../../crypto/address';
import type {
  AuthCommand,
  ClientCommand,
  CommandId,
  ControlMessage,
  SubscribeCommand,
} from '../../events/protocol';
import { asRefusal, refusalMessage } from '../../views/refusal';
import type { FeedConnection } from '../feed/types';
import { CLOSE_CODES } from './close-codes';
import type { SocketParts } from './types';

export interface CommandParts extends Pick<SocketParts, 'keys' | 'throttle' | 'logger' | 'limits'> {
  connection: FeedConnection;
  /** The client address that failures are counted under. */
  address: string;
  send(message: ControlMessage): void;
  close(code: number, reason: string): void;
}

export interface Commands {
  /** Never rejects. */
  run(command: ClientCommand): Promise<void>;
  /** The key that came with the upgrade. */
  authenticated(key: ApiKey): void;
  /** The subscription that is being answered; `null` while there is none. */
  answering(): CommandId | null;
  refuse(id: CommandId | null, error: unknown): void;
}

export function createCommands(parts: CommandParts): Commands {
  const { keys, throttle, logger, limits, connection, address, send, close } = parts;
  let key: ApiKey | null = null;
  let failures = 0;
  let answering: CommandId | null = null;

  function refuse(id: CommandId | null, thrown: unknown): void {
    const error = asRefusal(thrown);
    if (error.code === 'INTERNAL_ERROR') logger.error({ err: thrown }, 'a command of a socket failed');
    send({ type: 'error', id, code: error.code, message: refusalMessage(error) });
  }

  function authenticated(found: ApiKey, id: CommandId | null = null): void {
    if (key === null) connection.authenticate(found);
    key = found;
    send({ type: 'authenticated', id, address: checksumAddress(found.wallet), scopes: found.scopes });
  }

  async function auth({ apiKey }: AuthCommand, id: CommandId | null): Promise<void> {
    const found = await keys.authenticate(apiKey);
    if (found === null) return refuseKey(id);
    if (key !== null && key.id !== found.id)
      throw new PredictionMarketError('ALREADY_AUTHENTICATED', 'This socket has another API key already.');
    authenticated(found, id);
  }

  async function refuseKey(id: CommandId | null): Promise<void> {
    failures += 1;
    const throttled = await throttle.refusal(address);
    if (throttled === null) await throttle.recordFailure(address);
    refuse(id, throttled ?? new PredictionMarketError('UNAUTHORIZED', UNAUTHORIZED_MESSAGE));
    if (failures >= limits.failedAuthLimit) close(CLOSE_CODES.abuse, 'too many failed authentications');
  }

  async function subscribe(
    { channels, since, conflate }: SubscribeCommand,
    id: CommandId | null,
  ): Promise<void> {
    const request = { channels, since: since ?? null, conflate: conflate ?? false };
    answering = id;
    try {
      await connection.subscribe(request, ({ channels: names, seq, snapshot }) => {
        send({ type: 'subscribed', id, channels: names, seq, ...(snapshot !== null && { snapshot }) });
      });
    } finally {
      answering = null;
    }
  }

  async function perform(command: ClientCommand): Promise<void> {
    const id = command.id ?? null;
    switch (command.op) {
      case 'subscribe':
        return subscribe(command, id);
      case 'unsubscribe':
        connection.unsubscribe(command.channels);
        return send({ type: 'unsubscribed', id, channels: [...new Set(command.channels)] });
      case 'auth':
        return auth(command, id);
      case 'ping':
        return send({ type: 'pong', ...(command.id !== undefined && { id: command.id }) });
    }
  }

  return {
    async run(command) {
      if (!connection.isOpen) return;
      try {
        await perform(command);
      } catch (error) {
        refuse(command.id ?? null, error);
      }
    },
    authenticated,
    answering: () => answering,
    refuse,
  };
}
