import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryFailure, Webhook, WebhookDelivery } from '../../domain/webhooks';
import { activeSecrets } from '../../domain/webhooks';
import type { WebhookMessage } from '../../events/webhook-message';
import { NoAnswerError, type PostAnswer, type Poster } from '../../outbound/post';
import { signatureHeaders } from '../../outbound/signature';
import { steadyNow, type Clock } from '../../ports/clock';
import { withinTime } from '../../ports/time-limit';
import type { Timers } from '../../ports/timers';

const TIME_LIMIT_MS = 15_000;
const LONGEST_SHOWN = 500;
const GONE = 410;

export interface AttemptDependencies {
  poster: Pick<Poster, 'post'>;
  clock: Clock;
  timers: Timers;
}

export type AttemptRecord = Pick<
  WebhookDelivery,
  'attemptedAt' | 'durationMs' | 'responseStatus' | 'responseBody' | 'error'
>;

export interface Attempt {
  record: AttemptRecord;
  /** `null`: the endpoint has taken the message. */
  failure: DeliveryFailure | null;
}

/** Sends the message once. `null`: the signal has aborted the attempt, so its outcome is not known. */
export async function attemptDelivery(
  { poster, clock, timers }: AttemptDependencies,
  webhook: Webhook,
  messageId: string,
  { body }: WebhookMessage,
  signal: AbortSignal,
): Promise<Attempt | null> {
  const attemptedAt = clock.now();
  const startedAt = steadyNow(clock);
  const secrets = activeSecrets(webhook, attemptedAt).map(({ secret }) => secret);
  const headers = signatureHeaders({ id: messageId, body, secrets, sentAt: attemptedAt });
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end);
  const post = poster.post({ url: webhook.url, headers, body, signal: ending.signal });
  const answer = await withinTime(timers, TIME_LIMIT_MS, post)
    .catch((error: unknown) => {
      end();
      return error instanceof NoAnswerError ? error : answerSoFar(post);
    })
    .finally(() => signal.removeEventListener('abort', end));
  end();
  if (signal.aborted && answer instanceof NoAnswerError) return null;
  const durationMs = Math.max(Math.round(steadyNow(clock) - startedAt), 0);
  return attemptOf(answer, { attemptedAt, durationMs });
}

/**
 * The part of the answer that has arrived by the end of the time limit. If the status has arrived and the
 * body has not ended, the body is cut off, and the status counts.
 */
function answerSoFar(post: Promise<PostAnswer>): Promise<PostAnswer | NoAnswerError> {
  const late = new NoAnswerError(`no answer within ${TIME_LIMIT_MS / 1_000} s`);
  return Promise.race([post.catch(() => late), nextTurn(late)]);
}

function attemptOf(
  answer: PostAnswer | NoAnswerError,
  times: Pick<AttemptRecord, 'attemptedAt' | 'durationMs'>,
): Attempt {
  if (answer instanceof NoAnswerError) {
    const { message: reason } = answer;
    return {
      record: { ...times, responseStatus: null, responseBody: null, error: reason },
      failure: { reason, isGone: false, retryAfterMs: null },
    };
  }
  const { status, text, headers } = answer;
  const isTaken = status >= 200 && status < 300;
  const reason = `the receiver answered HTTP ${status}`;
  return {
    record: {
      ...times,
      responseStatus: status,
      responseBody: shortened(text),
      error: isTaken ? null : reason,
    },
    failure: isTaken
      ? null
      : { reason, isGone: status === GONE, retryAfterMs: retryAfterMs(headers['retry-after']) },
  };
}

function shortened(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${Array.from(text).slice(0, LONGEST_SHOWN).join('')}…`;
}

/** Reads only a number of seconds. A date would have to be compared with the clock of the endpoint. */
function retryAfterMs(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? 1_000 * Number(header) : null;
}
