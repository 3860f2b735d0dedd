/**
 * The messages between clients and the service over a WebSocket (docs/live.md). A stream of server-sent
 * events carries the same messages from the service to the client.
 */
import type { ErrorCode } from '../domain/errors';
import type { EventName } from '../domain/events';
import type { Scope } from '../domain/types';
import type { MarketDetailView } from '../views/market';
import type { MessageMap } from './channel-messages';
import type { BalanceFigures } from './event-data';

/**
 * A client chooses the id of a command, and the answer repeats the id. A message with the id `null` answers no command,
 * or a command without an id.
 */
export type CommandId = number | string;
export const LONGEST_COMMAND_ID = 64;

interface Position {
  epoch: string;
  seq: number;
}

export interface SubscribeCommand {
  op: 'subscribe';
  id?: CommandId;
  channels: string[];
  since?: Position;
  conflate?: boolean;
}

export interface UnsubscribeCommand {
  op: 'unsubscribe';
  id?: CommandId;
  channels: string[];
}

export interface AuthCommand {
  op: 'auth';
  id?: CommandId;
  apiKey: string;
}

export interface PingCommand {
  op: 'ping';
  id?: CommandId;
}

export type ClientCommand = SubscribeCommand | UnsubscribeCommand | AuthCommand | PingCommand;

export interface WelcomeMessage extends Position {
  type: 'welcome';
  heartbeatSeconds: number;
}

export interface AuthenticatedMessage {
  type: 'authenticated';
  /** The id of the command. `null` if the command has none, or if the key came in the header of the upgrade. */
  id: CommandId | null;
  address: string;
  scopes: Scope[];
}

/** The state of the subscribed markets and of the account. Facts with a higher `seq` come in later messages. */
export interface Snapshot {
  seq: number;
  markets: MarketSnapshot[];
  account?: BalanceFigures;
}

export interface MarketSnapshot extends MarketDetailView {
  marketSeq: number;
}

export interface SubscribedMessage {
  type: 'subscribed';
  id: CommandId | null;
  channels: string[];
  seq: number;
  snapshot?: Snapshot;
}

export const RESYNC_REASONS = ['EPOCH', 'SEQ_AHEAD', 'RETENTION'] as const;
export type ResyncReason = (typeof RESYNC_REASONS)[number];

export interface ResyncMessage extends Position {
  type: 'resync';
  id: CommandId | null;
  channels: string[];
  reason: ResyncReason;
  snapshot: Snapshot;
}

export interface UnsubscribedMessage {
  type: 'unsubscribed';
  id: CommandId | null;
  channels: string[];
}

export interface EventMessage<Name extends EventName = EventName> {
  type: 'event';
  /** The channel as clients spell it: `account` for the account of their own wallet. */
  channel: string;
  event: Name;
  seq: number;
  /**
   * The `seq` of the previous message on this channel. `null` if this instance does not know it. A message of
   * `prices` has no `prev` for a reader with `conflate`.
   */
  prev?: number | null;
  marketSeq: number | null;
  ts: string;
  data: MessageMap[Name];
}

export interface HeartbeatMessage {
  type: 'heartbeat';
  /**
   * The number of the newest fact that the instance knows. The reader must not resume from this number, because
   * earlier messages may still be on their way.
   */
  seq: number;
  ts: string;
}

export interface ErrorMessage {
  type: 'error';
  id: CommandId | null;
  code: ErrorCode;
  message: string;
}

export interface PongMessage {
  type: 'pong';
  id?: CommandId;
}

/** The messages from the service that are not about a fact. */
export type ControlMessage =
  | WelcomeMessage
  | AuthenticatedMessage
  | SubscribedMessage
  | ResyncMessage
  | UnsubscribedMessage
  | HeartbeatMessage
  | ErrorMessage
  | PongMessage;
