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

export interface CommandSocket {
  readonly connection: FeedConnection;
  readonly address: string;
  send(message: ControlMessage): void;
  close(code: number, reason: string): void;
}

type CommandParts = Pick<SocketParts, 'keys' | 'throttle' | 'logger' | 'limits'>;

export class CommandRunner {
  readonly #parts: CommandParts;
  readonly #socket: CommandSocket;
  #key: ApiKey | null = null;
  #failures = 0;
  #answering: CommandId | null = null;

  constructor(parts: CommandParts, socket: CommandSocket) {
    this.#parts = parts;
    this.#socket = socket;
  }

  /** The promise never rejects. */
  async run(command: ClientCommand): Promise<void> {
    if (!this.#socket.connection.isOpen) return;
    try {
      await this.#perform(command);
    } catch (error) {
      this.refuse(command.id ?? null, error);
    }
  }

  /**
   * Takes over a valid key. `id` is the id of the command. `null`: the command has none, or the key came with
   * the upgrade.
   */
  authenticated(found: ApiKey, id: CommandId | null = null): void {
    this.#socket.connection.authenticate(found);
    this.#key = found;
    const { wallet, scopes } = found;
    this.#socket.send({ type: 'authenticated', id, address: checksumAddress(wallet), scopes });
  }

  /**
   * The id of the `subscribe` command that is being answered. `null` if there is none, or if it has no id.
   */
  answering(): CommandId | null {
    return this.#answering;
  }

  refuse(id: CommandId | null, thrown: unknown): void {
    const error = asRefusal(thrown);
    if (error.code === 'INTERNAL_ERROR')
      this.#parts.logger.error({ err: thrown }, 'a command of a socket failed');
    this.#socket.send({ type: 'error', id, code: error.code, message: refusalMessage(error) });
  }

  async #perform(command: ClientCommand): Promise<void> {
    const id = command.id ?? null;
    const { connection } = this.#socket;
    switch (command.op) {
      case 'subscribe':
        return this.#subscribe(command, id);
      case 'unsubscribe':
        connection.unsubscribe(command.channels);
        return this.#socket.send({ type: 'unsubscribed', id, channels: [...new Set(command.channels)] });
      case 'auth':
        return this.#auth(command, id);
      case 'ping':
        return this.#socket.send({ type: 'pong', ...(command.id !== undefined && { id: command.id }) });
    }
  }

  async #subscribe({ channels, since, conflate }: SubscribeCommand, id: CommandId | null): Promise<void> {
    const request = { channels, since: since ?? null, conflate: conflate ?? false };
    this.#answering = id;
    try {
      await this.#socket.connection.subscribe(request, ({ channels: names, seq, snapshot }) => {
        this.#socket.send({
          type: 'subscribed',
          id,
          channels: names,
          seq,
          ...(snapshot !== null && { snapshot }),
        });
      });
    } finally {
      this.#answering = null;
    }
  }

  async #auth({ apiKey }: AuthCommand, id: CommandId | null): Promise<void> {
    const found = await this.#parts.keys.authenticate(apiKey);
    if (found === null) return this.#refuseKey(id);
    if (this.#key !== null && this.#key.id !== found.id)
      throw new PredictionMarketError('ALREADY_AUTHENTICATED', 'This socket has another API key already.');
    this.authenticated(found, id);
  }

  async #refuseKey(id: CommandId | null): Promise<void> {
    const { throttle, limits } = this.#parts;
    const { address } = this.#socket;
    this.#failures += 1;
    const throttled = await throttle.refusal(address);
    if (throttled === null) await throttle.recordFailure(address);
    this.refuse(id, throttled ?? new PredictionMarketError('UNAUTHORIZED', UNAUTHORIZED_MESSAGE));
    if (this.#failures >= limits.failedAuthLimit)
      this.#socket.close(CLOSE_CODES.abuse, 'too many failed authentications');
  }
}
