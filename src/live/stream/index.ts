/**
 * Server-sent events: the feed as an HTTP answer that does not end, for clients that cannot use a WebSocket.
 */
import type { ServerResponse } from 'node:http';
import type { EventPosition } from '../../domain/event-position';
import { PredictionMarketError, serviceUnavailable } from '../../domain/errors';
import type { ApiKey } from '../../domain/types';
import type { LiveConfig } from '../../live-options';
import { realTimers, type Timers } from '../../ports/timers';
import type { ConnectionLimiter } from '../connection-limiter';
import type { EndReason, Feed, FeedBatch } from '../feed/types';
import { items } from './event-stream-text';
import { createStreamReader, type StreamReader } from './stream-reader';

export interface StreamRequest {
  channels: readonly string[];
  since: EventPosition | null;
  key: ApiKey | null;
  address: string;
}

export interface EventStreams {
  /**
   * Resolves when the stream has begun, or when the client has gone already. If the promise rejects, nothing was
   * written to the response.
   */
  open(request: StreamRequest, response: ServerResponse): Promise<void>;
}

export function createEventStreams(
  feed: Pick<Feed, 'connect' | 'position'>,
  connections: Pick<ConnectionLimiter, 'open'>,
  limits: Pick<LiveConfig, 'heartbeatSeconds' | 'waitingBytesLimit'>,
  timers: Timers = realTimers,
): EventStreams {
  const { heartbeatSeconds, waitingBytesLimit } = limits;
  const open = new Set<StreamReader>();
  let isBeating = false;
  const encode = ({ messages }: FeedBatch): string => items(feed.position().epoch, messages);

  function add(reader: StreamReader): void {
    open.add(reader);
    if (!isBeating) beat();
  }
  function beat(): void {
    isBeating = open.size > 0;
    if (!isBeating) return;
    timers.after(heartbeatSeconds * 1000, () => {
      for (const reader of open) reader.comment();
      beat();
    });
  }

  return {
    async open({ channels, since, key, address }, response) {
      // If the client has gone already, no event `close` would follow to release the connection.
      if (response.destroyed) return;
      const counted = connections.open(address);
      let ended: EndReason | null = null;
      let hasBegun = false;
      const reader = createStreamReader(response, { encode, waitingBytesLimit, timers });
      const connection = feed.connect({
        ...reader,
        end(reason) {
          ended = reason;
          // Before the stream has begun, the caller answers with the refusal.
          if (hasBegun) reader.end(reason);
        },
      });
      const leave = (): void => {
        connection.close();
        open.delete(reader);
        counted.release();
      };
      response.once('close', leave);
      try {
        if (key !== null) connection.authenticate(key);
        await connection.subscribe({ channels, since, conflate: false }, (subscribed) => {
          hasBegun = true;
          const welcome = { ...feed.position(), heartbeatSeconds };
          reader.begin(welcome, subscribed);
          add(reader);
        });
        if (!hasBegun && !response.destroyed) throw refusalOf(ended);
      } catch (error) {
        response.off('close', leave);
        leave();
        throw error;
      }
    },
  };
}

function refusalOf(reason: EndReason | null): PredictionMarketError {
  return reason === 'key-revoked'
    ? new PredictionMarketError('UNAUTHORIZED', 'The API key was revoked.')
    : serviceUnavailable('The feed has closed the stream');
}
