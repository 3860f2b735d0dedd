/** `POST /site-data/preview` turns the draft of a market into the HTML of a preview. It needs no cookie and no key. */
import express, { type Request } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { View } from './layout';
import { marketPreview } from './pages/market-preview';
import { marketRefusal, sendJson, type Answer } from './respond';
import type { SiteMarket } from './site-market';

/** Room for the longest draft, also with escaped letters. */
const MOST_BYTES = 32_000;
const parseJson = express.json({ limit: MOST_BYTES });

type Draft = Parameters<SiteMarket['previewMarket']>[0];
type Incoming = Request & { body?: unknown };

export async function answerPreview(
  market: SiteMarket,
  view: View,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer> {
  const problem = requestProblem(request, view);
  if (problem !== null) return problem;
  try {
    const draft = await readDraft(request as Incoming, response);
    return sendJson(200, { html: marketPreview(view, await market.previewMarket(draft as Draft)).text });
  } catch (error) {
    const refusal = marketRefusal(error);
    if (refusal === null) {
      const refused = bodyProblem(error);
      if (refused === null) throw error;
      return refused;
    }
    const { status, code, message, errors } = refusal;
    return sendJson(status, { code, message, errors });
  }
}

/** The refusal of a request whose body is not read; null if the request is acceptable. */
function requestProblem(request: IncomingMessage, view: View): Answer | null {
  const { headers } = request;
  if (!isFromThisSite(request, view))
    return refuse(403, 'FORBIDDEN', 'Only pages of this site ask for previews.');
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    return refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the draft as application/json.');
  return null;
}

/**
 * Programs other than browsers usually send neither `Sec-Fetch-Site` nor `Origin`. They are let in, because the
 * answer contains only what they have sent themselves.
 */
function isFromThisSite({ headers }: IncomingMessage, { siteUrl }: View): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === host || (siteUrl !== '' && new URL(siteUrl).origin === origin);
}

/** Reads the body, which the host of the site may have parsed already. */
async function readDraft(request: Incoming, response: ServerResponse): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: Error) => (error === undefined ? resolve() : reject(error)));
  });
  return request.body;
}

/** Translates an error of Express's parser. `null`: it is another error. */
function bodyProblem(error: unknown): Answer | null {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  if (status === 413) return refuse(413, 'PAYLOAD_TOO_LARGE', 'The draft is too long.');
  return status < 500 ? refuse(400, 'VALIDATION_ERROR', 'The draft is not JSON.') : null;
}

/** The connection is closed, because the rest of the body may not have been read. */
function refuse(status: number, code: string, message: string): Answer {
  return { ...sendJson(status, { code, message }), headers: { Connection: 'close' } };
}
