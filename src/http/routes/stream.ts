import type { ServerResponse } from 'node:http';
import type { EventPosition } from '../../domain/event-position';
import type { ApiKey } from '../../domain/types';
import { lastEventIdHeader, parseLastEventId, streamQuery } from '../../schemas/stream';
import { clientAddress } from '../admission/client-address';
import { defineRoute, type Route } from '../route';
import { ANSWERED, RawAnswer } from '../send';

const STREAM_TYPE = 'text/event-stream';

export interface StreamOpener {
  /**
   * Resolves when the stream has begun, or when the client has gone already. If the promise rejects, nothing was
   * written to the response.
   */
  open(
    request: {
      channels: readonly string[];
      since: EventPosition | null;
      key: ApiKey | null;
      address: string;
    },
    response: ServerResponse,
  ): Promise<void>;
}

export function streamRoutes(streams: StreamOpener): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/stream',
      summary: 'Facts as they happen, as server-sent events',
      description:
        'The answer does not end. The channel `account` needs a key with the scope `account:read`; a key that is sent must be valid.',
      group: 'live',
      query: streamQuery,
      headers: [
        {
          name: 'Last-Event-ID',
          schema: lastEventIdHeader,
          description: 'The `id` of the last message that was received: the stream goes on after it',
        },
      ],
      success: { status: 200, contentType: STREAM_TYPE },
      errors: [
        'UNAUTHORIZED',
        'INSUFFICIENT_SCOPE',
        'MARKET_NOT_FOUND',
        'SUBSCRIPTION_LIMIT',
        'RATE_LIMIT_EXCEEDED',
      ],
      handler: async ({ request, response, key, query: { channels } }) => {
        const since = parseLastEventId(request.headers['last-event-id']);
        // Express also answers HEAD with the routes of GET, and such an answer has to end.
        if (request.method === 'HEAD') return new RawAnswer(200, STREAM_TYPE, '');
        const address = clientAddress(request);
        await streams.open({ channels, since, key, address }, response);
        return ANSWERED;
      },
    }),
  ];
}
