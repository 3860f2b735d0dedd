/** How a market is resolved: the outcome, who decided, and what each voter said, as it stands when the page is made. */
import type { MarketDetailView, MarketResolutionView } from '../../src/index';
import { moment, percent } from '../format';
import { html, type SafeHtml } from '../html';
import { strangersLink } from '../links';

type Vote = MarketResolutionView['votes'][number];
type Proposal = NonNullable<MarketResolutionView['proposal']>;

/** Null while the market trades and no voter has been asked. */
export function resolutionPanel(market: MarketDetailView, resolution: MarketResolutionView): SafeHtml | null {
  const { votes, proposal, note } = resolution;
  if (market.status === 'open' && votes.length === 0) return null;
  return html`<section class="panel market-resolution" aria-labelledby="resolution-title">
    <h2 id="resolution-title">Resolution</h2>
    ${verdict(market, resolution)}
    ${proposal !== undefined && proposed(proposal)}
    ${note !== null && html`<h3>What the operator says</h3><p class="prose" dir="auto">${note}</p>`}
    ${votes.length > 0 && html`<h3>The votes of the last round</h3><ul class="votes">${votes.map(voteOf)}</ul>`}
  </section>`;
}

function verdict(market: MarketDetailView, resolution: MarketResolutionView): SafeHtml | null {
  const { outcome, method, resolvedAt, oracleConsensus } = resolution;
  if (outcome === null || resolvedAt === null)
    return html`<p>${market.status === 'open' ? 'The market still trades.' : 'Trading has ended. The outcome is not decided yet.'}</p>`;
  const who = method === 'oracle' ? 'the oracle' : 'an operator';
  const consensus =
    oracleConsensus === null ? '' : ` The confidence of the agreeing voters is ${percent(oracleConsensus)}.`;
  const meaning =
    outcome === 'VOID'
      ? 'The question has no answer, so every share of both sides pays $0.50.'
      : `Every ${outcome} share pays $1, and every share of the other side pays nothing.`;
  return html`<p><strong>${outcome}</strong>, decided by ${who} on ${moment(resolvedAt)}. ${meaning}${consensus}</p>`;
}

function proposed({ outcome, payAt, proposedAt }: Proposal): SafeHtml {
  const next =
    payAt === null
      ? 'An operator has to decide.'
      : html`It is carried out <time datetime="${payAt}">${moment(payAt)}</time> unless an operator objects.`;
  return html`<p class="notice">Proposed on ${moment(proposedAt)}: <strong>${outcome}</strong>. ${next}</p>`;
}

function voteOf({
  oracle,
  model,
  outcome,
  probability,
  confidence,
  reasoning,
  citations,
  error,
}: Vote): SafeHtml {
  const name = html`<strong>${oracle}</strong>${model !== null && html` <span class="muted">${model}</span>`}`;
  if (error !== undefined) return html`<li>${name}: <span class="muted">${error}</span></li>`;
  return html`<li><p>${name}: <span class="tag">${outcome}</span> ${percent(probability)} YES, ${percent(confidence)} sure</p>
    ${reasoning !== '' && html`<p class="prose" dir="auto">${reasoning}</p>`}
    ${citations.length > 0 && html`<ul>${citations.map(({ url, title }) => html`<li>${strangersLink(url, title ?? url)}</li>`)}</ul>`}</li>`;
}
