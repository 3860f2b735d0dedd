/**
 * The script of a market in a frame. It reads no API key and no browser storage, so a site that shows the frame cannot
 * trade for the reader.
 */
import { createClient } from '../../../src/client';
import { embedFragments } from '../../embed/fragments';
import type { MarketData } from '../../pages/market-data';
import { atMostEvery } from '../live/at-most-every';

const REREAD_MS = 1_000;
const RETRY_MS = 10_000;
const { base = '', api = '/api/v2' } = document.body.dataset;
const main = document.querySelector<HTMLElement>('main[data-market]');
const client = createClient({ baseUrl: api });
/**
 * The `seq` of the newest message. Each request names it, so that the server repeats no answer from before this
 * message.
 */
let seq = 0;

function tellHeight(): void {
  const height = document.documentElement.offsetHeight;
  // The height is no secret, so any page may read it.
  if (parent !== window) parent.postMessage({ type: 'prediction-market:height', height }, '*');
}

async function read(slug: string): Promise<void> {
  const address = `${base}/site-data/market/${encodeURIComponent(slug)}?range=all&at=${seq}`;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const data = (await response.json()) as MarketData;
  for (const [id, part] of Object.entries(embedFragments(Date.now(), data))) {
    const target = document.getElementById(id);
    if (target !== null && target.innerHTML !== part.text) target.innerHTML = part.text;
  }
  tellHeight();
}

async function follow({ market = '', slug = '' }: DOMStringMap): Promise<void> {
  const status = document.querySelector('[data-live-status]');
  const reread = atMostEvery(client.timers, REREAD_MS, () => read(slug));
  const subscription = client.live([`market:${Number(market)}`], {
    onState: (state) => status?.replaceChildren(state === 'live' ? 'Live' : 'Not live'),
  });
  for await (const message of subscription) {
    seq = Math.max(seq, message.seq);
    reread();
  }
}

tellHeight();
addEventListener('resize', tellHeight);
if (main !== null) {
  const start = (): void => {
    // Waits after a failure, and then follows the market anew.
    follow(main.dataset).catch(() => client.timers.after(RETRY_MS, start));
  };
  start();
}
