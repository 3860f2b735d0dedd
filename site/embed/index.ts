/** The routes by which other sites show a market: the frame, oEmbed, and the script of `<prediction-market>`. */
import { embedElement } from '../assets.generated';
import { marketData } from '../data';
import type { View } from '../layout';
import { framePolicy } from '../content-security-policy';
import { marketRefusal, sendJson, type Answer } from '../respond';
import type { SiteMarket } from '../site-market';
import { frameSize, oembedAnswer, referenceAt } from './oembed';
import { embedNotice, embedPage, readTheme } from './page';

export const FRAME_PATH = '/embed/market/';
const OEMBED_PATH = '/oembed';
const ELEMENT_PATH = '/embed/element.js';
const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
/** One hour, so that sites soon get a new version of the element. */
const ELEMENT_CACHE = 'public, max-age=3600';

export interface EmbedCall {
  market: SiteMarket;
  view: View;
  path: string;
  query: URLSearchParams;
  /** The value of `frame-ancestors`. */
  ancestors: string;
}

/** The answer to a request for a frame, for oEmbed or for the script of the element. Null for any other path. */
export async function answerEmbed(call: EmbedCall): Promise<Answer | null> {
  const { path } = call;
  if (path === ELEMENT_PATH)
    return {
      status: 200,
      type: 'text/javascript; charset=utf-8',
      body: embedElement,
      cache: ELEMENT_CACHE,
      headers: ANY_ORIGIN,
    };
  if (path === OEMBED_PATH) return answerOembed(call);
  if (path.startsWith(FRAME_PATH)) return answerFrame(call, path.slice(FRAME_PATH.length));
  return null;
}

async function answerFrame(call: EmbedCall, text: string): Promise<Answer> {
  const { market, view, query, ancestors } = call;
  const theme = readTheme(query.get('theme'));
  const answer = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({
    status,
    type: 'text/html; charset=utf-8',
    body,
    cache: 'no-cache',
    headers: { 'Content-Security-Policy': framePolicy(ancestors, view.apiUrl), ...headers },
    // The header would forbid what the policy allows.
    without: ['X-Frame-Options'],
  });
  const reference = decoded(text);
  try {
    if (reference === null) return answer(404, embedNotice(view, 'There is no such market.', theme));
    const data = await marketData(market, reference, 'all', view.now);
    const { slug } = data.market;
    if (slug === reference) return answer(200, embedPage(view, data, theme));
    const address = `${view.base}${FRAME_PATH}${encodeURIComponent(slug)}`;
    const search = query.toString();
    return answer(302, '', { Location: search === '' ? address : `${address}?${search}` });
  } catch (error) {
    const refusal = marketRefusal(error);
    if (refusal?.code === 'SERVICE_UNAVAILABLE')
      return answer(503, embedNotice(view, 'The market cannot be reached right now.', theme), {
        'Retry-After': String(refusal.retryAfterSeconds ?? 1),
      });
    if (refusal === null || refusal.status >= 500) throw error;
    return answer(404, embedNotice(view, 'There is no such market.', theme));
  }
}

async function answerOembed({ market, view, query }: EmbedCall): Promise<Answer> {
  const say = (status: number, body: object): Answer => ({ ...sendJson(status, body), headers: ANY_ORIGIN });
  const format = query.get('format') ?? 'json';
  if (format !== 'json') return say(501, { message: 'The only format is json.' });
  if (view.siteUrl === '') return say(404, { message: 'This site has no public address (siteUrl).' });
  const size = frameSize(query);
  if (size === null) return say(400, { message: 'maxwidth and maxheight must be numbers of pixels.' });
  const reference = referenceAt(view, query.get('url') ?? '');
  if (reference === null) return say(404, { message: 'The address is no market of this site.' });
  try {
    return say(200, oembedAnswer(view, await market.getMarket(reference), size));
  } catch (error) {
    const refusal = marketRefusal(error);
    if (refusal === null || refusal.status === 500) throw error;
    return say(refusal.status, { code: refusal.code, message: refusal.message });
  }
}

function decoded(text: string): string | null {
  if (text === '' || text.includes('/')) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
