/**
 * How a market is resolved: what it waits for, or its outcome, who decided, and what each voter said. The script of the
 * page draws this part too.
 */
import type { MarketResolutionView, ResolutionProgressView } from '../../src/index';
import { moment, percent } from '../format';
import { html, type SafeHtml } from '../html';
import { strangersLink } from '../links';
import type { MarketData } from './market-data';

type Vote = MarketResolutionView['votes'][number];
type Proposal = NonNullable<ResolutionProgressView['proposal']>;

/** The decision about the market and the votes. Empty while the market trades. */
export function resolutionPart(decision: MarketData['decision']): SafeHtml {
  if (decision === null) return html``;
  const { resolution, progress } = decision;
  const { outcome, votes, note } = resolution;
  return html`${outcome === null ? whatItWaitsFor(progress) : verdict(outcome, resolution)}
    ${note !== null && html`<h3>What the operator says</h3><p class="prose" dir="auto">${note}</p>`}
    ${votes.length > 0 && html`<h3>The votes of the last round</h3><ul class="votes">${votes.map(voteOf)}</ul>`}`;
}

function whatItWaitsFor(progress: ResolutionProgressView | null): SafeHtml {
  if (progress === null) return html`<p>Trading has ended. The outcome is not decided yet.</p>`;
  const { status, proposal, nextAttemptAt } = progress;
  if (proposal !== null) return proposed(proposal, status === 'proposed' ? proposal.payAt : null);
  if (status === 'escalated' || nextAttemptAt === null)
    return html`<p class="notice">The oracle could not decide. An operator has to decide, without a time limit.</p>`;
  return html`<p class="notice">${attempts(progress)} ${until(nextAttemptAt)}, unless an operator decides before.</p>`;
}

function attempts({ status, round }: ResolutionProgressView): string {
  if (round === 0) return 'Trading has ended. The oracle is asked for the first time on';
  const times = round === 1 ? 'once' : `${round} times`;
  const slow = status === 'stalled' ? ' This takes longer than usual.' : '';
  return `The oracle was asked ${times} and has not decided yet.${slow} It is asked again on`;
}

function proposed({ outcome, proposedAt }: Proposal, payAt: string | null): SafeHtml {
  const next =
    payAt === null
      ? 'An operator has to decide, without a time limit.'
      : html`It is carried out on ${until(payAt)} unless an operator decides otherwise before.`;
  return html`<p class="notice">Proposed on ${moment(proposedAt)}: <strong>${outcome}</strong>. ${next}</p>`;
}

/** A future instant. The script adds how long it is until then. */
function until(instant: string): SafeHtml {
  return html`<time datetime="${instant}">${moment(instant)}</time><span role="timer" data-until="${instant}"></span>`;
}

function verdict(outcome: string, { method, resolvedAt, oracleConsensus }: MarketResolutionView): SafeHtml {
  const who = method === 'oracle' ? 'the oracle' : 'an operator';
  const when = resolvedAt === null ? '' : ` on ${moment(resolvedAt)}`;
  // An operator decides without the voters, so their confidence is left out.
  const consensus =
    oracleConsensus === null || method !== 'oracle'
      ? ''
      : ` The confidence of the agreeing voters is ${percent(oracleConsensus)}.`;
  const meaning =
    outcome === 'VOID'
      ? 'The question has no answer, so every share of both sides pays $0.50.'
      : `Every ${outcome} share pays $1, and every share of the other side pays nothing.`;
  return html`<p><strong>${outcome}</strong>, decided by ${who}${when}. ${meaning}${consensus}</p>`;
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
  const name = html`<strong>${oracle}</strong>${model !== null && model !== oracle && html` <span class="muted">${model}</span>`}`;
  if (error !== undefined) return html`<li>${name}: <span class="muted">${error}</span></li>`;
  return html`<li><p>${name}: <span class="tag">${outcome}</span> ${percent(probability)} YES, ${percent(confidence)} sure</p>
    ${reasoning !== '' && html`<p class="prose" dir="auto">${reasoning}</p>`}
    ${citations.length > 0 && html`<ul>${citations.map(({ url, title }) => html`<li>${strangersLink(url, title ?? url)}</li>`)}</ul>`}</li>`;
}
