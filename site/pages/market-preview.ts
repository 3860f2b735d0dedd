/** A market as its page will show it, before its creator opens it. */
import type { MarketPreviewView } from '../../src/index';
import { html, type SafeHtml } from '../html';
import type { View } from '../layout';
import { facts, priceBlock } from './market-parts';
import { rulesText } from './rules-text';

export function marketPreview(view: Pick<View, 'base' | 'siteUrl'>, market: MarketPreviewView): SafeHtml {
  return html`<article class="market-preview">
  <p class="tags"><span class="tag">${market.category}</span><span class="tag ${market.status}">${market.status}</span></p>
  <h3 class="preview-question" dir="auto">${market.question}</h3>
  ${priceBlock(market)}
  ${facts(market)}
  <h4>How it is resolved</h4>
  ${rulesText(market, 'h4')}
  ${addressOf(view, market.slug)}
</article>`;
}

function addressOf({ base, siteUrl }: Pick<View, 'base' | 'siteUrl'>, slug: string | null): SafeHtml {
  if (slug === null)
    return html`<p class="muted">The address is made from the number of the market, because the question has no Latin letters or digits.</p>`;
  return html`<p class="muted">Address: <span class="mono">${siteUrl === '' ? base : siteUrl}/market/${slug}</span>. A number is added where another market has this address.</p>`;
}
