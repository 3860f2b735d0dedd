/** The words of a market's creator: the criteria, and the background under a heading of its own. */
import type { MarketDetailView } from '../../src/index';
import { html, SafeHtml } from '../html';
import { markdownHtml } from '../markdown';

export function rulesText(
  { resolutionCriteria, description }: Pick<MarketDetailView, 'resolutionCriteria' | 'description'>,
  heading: 'h2' | 'h4',
): SafeHtml {
  const background = new SafeHtml(`<${heading}>Background</${heading}>`);
  return html`<div class="prose" dir="auto">${markdownHtml(resolutionCriteria)}</div>
    ${description !== null && html`${background}<div class="prose" dir="auto">${markdownHtml(description)}</div>`}`;
}
