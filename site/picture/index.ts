/** The picture of a market for link previews, at `/market/<slug>/picture.png`. */
import { createHash } from 'node:crypto';
import { chartHistory } from '../data';
import { html, type SafeHtml } from '../html';
import type { View } from '../layout';
import { marketRefusal, sendJson, type Answer } from '../respond';
import { shareForAMoment } from '../shared-requests';
import type { SiteMarket } from '../site-market';
import { marketPicture, PICTURE_SIZE } from './draw';
import { workQueue, TooManyWait } from './work-queue';

const PATH = /^\/market\/([^/]+)\/picture\.png$/;
/** How long readers share one drawing, and how many drawings are kept. */
const SHARED_MS = 60_000;
const MOST_KEPT = 200;
/** The pause between two drawings. It leaves CPU time for other requests. */
const PAUSE_MS = 200;
const MOST_WAITING = 25;
const RETRY_SECONDS = 5;

export function isPicturePath(path: string): boolean {
  return PATH.test(path);
}

function picturePath(slug: string): string {
  return `/market/${encodeURIComponent(slug)}/picture.png`;
}

/** The full address of the picture. `siteUrl` must not be empty. */
export function pictureAddress(view: Pick<View, 'siteUrl'>, slug: string): string {
  return `${view.siteUrl}${picturePath(slug)}`;
}

export function createPictures(
  market: SiteMarket,
  now: () => number,
  drawInTurn = workQueue(MOST_WAITING, pause),
): (view: View, path: string) => Promise<Answer> {
  const shared = shareForAMoment<Answer>(SHARED_MS, now, MOST_KEPT);

  async function answer(view: View, reference: string): Promise<Answer> {
    const found = await market.getMarket(reference);
    if (found.slug !== reference) {
      const headers = { Location: `${view.base}${picturePath(found.slug)}` };
      return { status: 302, type: 'text/plain', body: '', cache: 'no-cache', headers };
    }
    return drawInTurn(async () => {
      const { candles } = await chartHistory(market, found, 'all', view.now);
      return pictureAnswer(marketPicture({ title: view.title, market: found, candles }));
    });
  }

  return async (view, path) => {
    try {
      const reference = decodeURIComponent(PATH.exec(path)?.[1] ?? '');
      // Percent-encoding can write one reference in many ways, so requests share a drawing by the decoded reference.
      return await shared(`${view.base} ${reference}`, () => answer(view, reference));
    } catch (error) {
      return refused(error);
    }
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, PAUSE_MS).unref());
}

function pictureAnswer(body: Buffer): Answer {
  const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return {
    status: 200,
    type: 'image/png',
    body,
    cache: `public, max-age=${SHARED_MS / 1000}`,
    headers: { ETag: `"${etag}"`, 'Cross-Origin-Resource-Policy': 'cross-origin' },
  };
}

function refused(error: unknown): Answer {
  if (error instanceof URIError) return sendJson(404, { message: 'There is no such market.' });
  // Too many requests cause this error, so it is no outage: the answer is 429.
  if (error instanceof TooManyWait)
    return tryLater(429, 'RATE_LIMIT_EXCEEDED', RETRY_SECONDS, 'Too many pictures are asked for.');
  const refusal = marketRefusal(error);
  if (refusal === null || refusal.status === 500) throw error;
  const { status, code, message, retryAfterSeconds } = refusal;
  return status === 503
    ? tryLater(status, code, retryAfterSeconds ?? 1, message)
    : sendJson(status, { code, message });
}

function tryLater(status: number, code: string, seconds: number, message: string): Answer {
  return { ...sendJson(status, { code, message }), headers: { 'Retry-After': String(seconds) } };
}

/** Tells other sites which picture to show beside a link to the market. */
export function pictureTags(view: View, market: { slug: string; question: string }): SafeHtml {
  return html`
<meta property="og:image" content="${pictureAddress(view, market.slug)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${PICTURE_SIZE.width}">
<meta property="og:image:height" content="${PICTURE_SIZE.height}">
<meta property="og:image:alt" content="The chance of yes over time: ${market.question}">
<meta name="twitter:card" content="summary_large_image">`;
}
