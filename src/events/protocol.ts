/**
 * What clients and the service say to each other over a WebSocket (docs/live.md). Server-sent events carry the
 * same messages.
 */
import type { ErrorCode } from '../domain/errors';
import type { EventName } from '../domain/events';
import type { Scope } from '../domain/types';
import type { MarketDetailView } from '../views/market';
import type { MessageMap } from './channel-messages';
import type { BalanceFigures } from './event-data';

/** A client chooses it. The answer to a command repeats it; it is `null` where no command was answered, or had none. */
export type CommandId = number | string;

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
  /** `null`: by the header of the upgrade. */
  id: CommandId | null;
  address: string;
  scopes: Scope[];
}

/** The state of the subscribed markets and of the account. Facts with a higher `seq` are told after it. */
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

/** One message of a fact, as its readers get it. */
export interface EventMessage<Name extends EventName = EventName> {
  type: 'event';
  /** As clients spell it: `account` for the account of their own wallet. */
  channel: string;
  event: Name;
  seq: number;
  /** The `seq` of the message before on this channel; `null` where this instance does not know it. Left out with `conflate`. */
  prev?: number | null;
  marketSeq: number | null;
  ts: string;
  data: MessageMap[Name];
}

export interface HeartbeatMessage {
  type: 'heartbeat';
  /** The newest fact of all. */
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

/** What the service says beside the messages of facts. */
export type ControlMessage =
  | WelcomeMessage
  | AuthenticatedMessage
  | SubscribedMessage
  | ResyncMessage
  | UnsubscribedMessage
  | HeartbeatMessage
  | ErrorMessage
  | PongMessage;
