/** oEmbed 1.0 (https://oembed.com): another site learns how to show a market whose address a reader has pasted. */
import { escapeHtml } from '../html';
import type { View } from '../layout';
import { pictureAddress } from '../picture';
import { PICTURE_SIZE } from '../picture/draw';

const WIDTH = 480;
const HEIGHT = 360;
/** A smaller frame could not be read. */
const SMALLEST = 200;
const CACHE_SECONDS = 300;

/** The reference of the market at an address of this site; null for any other address. */
export function referenceAt(view: View, address: string): string | null {
  const prefix = `${view.siteUrl}/market/`;
  if (view.siteUrl === '' || !address.startsWith(prefix)) return null;
  const reference = address.slice(prefix.length).split(/[?#]/, 1)[0] ?? '';
  if (reference === '' || reference.includes('/')) return null;
  try {
    return decodeURIComponent(reference);
  } catch {
    return null;
  }
}

/**
 * The usual size, limited by the bound that the other site gives, but at least `SMALLEST`. Null if the bound is no
 * size.
 */
function sizeWithin(text: string | null, usual: number): number | null {
  if (text === null) return usual;
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1) return null;
  return Math.max(SMALLEST, Math.min(usual, Number(text)));
}

export interface Size {
  width: number;
  height: number;
}

/** The size of the frame by `maxwidth` and `maxheight`. Null if one of them is no size in pixels. */
export function frameSize(query: URLSearchParams): Size | null {
  const width = sizeWithin(query.get('maxwidth'), WIDTH);
  const height = sizeWithin(query.get('maxheight'), HEIGHT);
  return width === null || height === null ? null : { width, height };
}

export function frameAddress(view: View, slug: string): string {
  return `${view.siteUrl}/embed/market/${encodeURIComponent(slug)}`;
}

export function oembedAnswer(view: View, market: { slug: string; question: string }, size: Size): object {
  const { width, height } = size;
  const source = escapeHtml(frameAddress(view, market.slug));
  return {
    type: 'rich',
    version: '1.0',
    title: market.question,
    provider_name: view.title,
    provider_url: `${view.siteUrl}/`,
    cache_age: CACHE_SECONDS,
    html: `<iframe src="${source}" width="${width}" height="${height}" title="${escapeHtml(market.question)}" loading="lazy" style="border:0;max-width:100%"></iframe>`,
    width,
    height,
    thumbnail_url: pictureAddress(view, market.slug),
    thumbnail_width: PICTURE_SIZE.width,
    thumbnail_height: PICTURE_SIZE.height,
  };
}
