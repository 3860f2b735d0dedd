/** The request quota: express-rate-limit does the counting, a rolling window of ours is its store. */
import { rateLimit, type Store } from 'express-rate-limit';
import type { Request, Response } from 'express';
import type { Clock } from '../../ports/clock';
import type { RollingWindow } from '../../ports/rate-limit';

/** SPEC "Limits": a rolling 60-second window. */
export const QUOTA_WINDOW_MS = 60_000;

/** Where one caller stands. */
export interface QuotaFigures {
  allowed: boolean;
  /** Requests per window. */
  limit: number;
  remaining: number;
  /** When the oldest counted call leaves the window, milliseconds since the epoch. */
  resetAt: number;
}

export interface Quota {
  /** Counts the request unless that would exceed the limit. */
  count(request: Request, response: Response, subject: string, limit: number): Promise<QuotaFigures>;
  /** The same figures without counting anything. */
  peek(subject: string, limit: number): Promise<QuotaFigures>;
}

/**
 * What the limiter is given in place of the request: an object of its own, with the request as its prototype, so that it
 * finds all of the request and writes nothing on it. Two more properties on Express's request object would cost as much as
 * all the counting.
 */
interface Call {
  subject: string;
  limit: number;
  /** Set by the limiter. */
  figures?: { limit: number; used: number; remaining: number; resetTime: Date };
}

type CalledRequest = Request & Call;

function callOf(request: Request, subject: string, limit: number): CalledRequest {
  const call = Object.create(request) as CalledRequest;
  call.subject = subject;
  call.limit = limit;
  return call;
}

const asCall = (request: Request): Call => request as CalledRequest;

export function createQuota(window: RollingWindow, clock: Clock): Quota {
  // The library's own headers count down by the system clock; ours (headers.ts) follow the injected one.
  const limiter = rateLimit({
    windowMs: QUOTA_WINDOW_MS,
    store: rollingStore(window, clock),
    keyGenerator: (request) => storeKey(asCall(request)),
    limit: (request) => asCall(request).limit,
    requestPropertyName: 'figures' satisfies keyof Call,
    handler: (_request, _response, next) => next(),
    legacyHeaders: false,
    standardHeaders: false,
    validate: false,
  });

  async function count(
    request: Request,
    response: Response,
    subject: string,
    limit: number,
  ): Promise<QuotaFigures> {
    const call = callOf(request, subject, limit);
    await new Promise<void>((resolve, reject) => {
      void limiter(call, response, (error?: unknown) =>
        error === undefined ? resolve() : reject(asError(error)),
      );
    });
    const { figures } = call;
    if (figures === undefined) throw new Error('the rate limiter gave no figures');
    return {
      allowed: figures.used <= limit,
      limit,
      remaining: figures.remaining,
      resetAt: figures.resetTime.getTime(),
    };
  }

  return {
    count,
    async peek(subject, limit) {
      const figures = await window.peek(subject, limit, clock.now());
      return { allowed: figures.allowed, limit, remaining: figures.remaining, resetAt: figures.resetAt };
    },
  };
}

/**
 * The store sees only a key, while limits differ from caller to caller and a refused call must not be
 * counted: so the limit travels in front of the subject.
 */
function rollingStore(window: RollingWindow, clock: Clock): Store {
  return {
    async increment(key) {
      const [limit, subject] = parseStoreKey(key);
      const figures = await window.hit(subject, limit, clock.now());
      return {
        totalHits: figures.allowed ? limit - figures.remaining : limit + 1,
        resetTime: new Date(figures.resetAt),
      };
    },
    decrement: () => undefined,
    resetKey: () => undefined,
  };
}

function storeKey({ subject, limit }: Call): string {
  return `${String(limit)} ${subject}`;
}

function parseStoreKey(key: string): [limit: number, subject: string] {
  const space = key.indexOf(' ');
  return [Number(key.slice(0, space)), key.slice(space + 1)];
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the rate limiter failed', { cause: error });
}
