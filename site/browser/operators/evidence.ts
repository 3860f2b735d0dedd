/** The newest rounds of the oracle on one market: votes, reasons and citations, the newest round first. */
import type { PredictionMarketClient } from '../../../src/client';
import { element, percent, usd, type Child } from '../dom';
import { explain, noticeRefusal } from './failures';
import { facts, more, muted, strangersLink, strangersText, tag, when } from './parts';

type Evidence = Awaited<ReturnType<PredictionMarketClient['admin']['markets']['resolution']>>;
type Round = Evidence['rounds'][number];
type Vote = Round['votes'][number];

const MOST_ROUNDS = 20;
const MOST_CITATIONS = 50;

export function evidenceOf({ admin }: PredictionMarketClient, marketId: number): HTMLElement {
  const frame = element('div', { class: 'operators-evidence', role: 'status' }, 'Loading…');
  admin.markets.resolution(marketId).then(
    (evidence) => frame.replaceChildren(...drawEvidence(evidence)),
    (error: unknown) => {
      frame.replaceChildren(element('span', { class: 'message bad' }, explain(error)));
      noticeRefusal(error);
    },
  );
  return frame;
}

function drawEvidence({ rounds }: Evidence): Child[] {
  if (rounds.length === 0) return [muted('The oracle has not been asked yet.')];
  const newest = [...rounds].sort((one, other) => other.round - one.round).slice(0, MOST_ROUNDS);
  const left = rounds.length - newest.length;
  return [
    ...newest.map((round, index) => drawRound(round, index === 0)),
    ...(left === 0 ? [] : [muted(`${left} earlier rounds are in the answer of the API.`)]),
  ];
}

function drawRound({ round, startedAt, consensus, votes }: Round, isNewest: boolean): HTMLElement {
  const result =
    consensus === null
      ? 'voters are being asked'
      : consensus.outcome === 'UNKNOWN'
        ? 'no outcome'
        : `${consensus.outcome}, ${percent(consensus.confidence)} sure, ${percent(consensus.agreement)} of the votes`;
  const details = more(
    `Round ${round}: ${result}`,
    element('p', { class: 'muted' }, 'Asked ', when(startedAt)),
    ...votes.map(drawVote),
  );
  details.open = isNewest;
  return details;
}

function drawVote(vote: Vote): HTMLElement {
  const { oracle, model, outcome, probability, confidence, costUsd, error, reasoning, citations } = vote;
  const voter = model === null || model === oracle ? oracle : `${oracle} (${model})`;
  const rows: [string, Child][] = [];
  // The figures of a voter that has failed have no meaning.
  if (error === undefined) rows.push(['YES at', percent(probability)], ['Sure', percent(confidence)]);
  if (costUsd !== undefined) rows.push(['Cost', usd(costUsd)]);
  const failed =
    error === undefined ? [] : [element('p', { class: 'message bad', dir: 'auto' }, `Failed: ${error}`)];
  return element(
    'div',
    { class: 'operators-vote' },
    element(
      'div',
      { class: 'operators-title' },
      element('strong', { dir: 'auto' }, voter),
      error === undefined ? tag(outcome) : tag('no vote', 'resolving'),
    ),
    ...(rows.length === 0 ? [] : [facts(rows)]),
    ...failed,
    ...(reasoning === '' ? [] : [strangersText(reasoning)]),
    ...(citations.length === 0 ? [] : [drawCitations(citations)]),
  );
}

function drawCitations(citations: Vote['citations']): HTMLElement {
  const rows = citations.slice(0, MOST_CITATIONS).map(({ url, title, quote }) => {
    const link = strangersLink(url, title ?? url);
    const words = quote === null ? [] : [element('blockquote', { dir: 'auto' }, quote)];
    return element(
      'li',
      {},
      link,
      ...(title === null ? [] : [element('span', { class: 'muted' }, ` ${url}`)]),
      ...words,
    );
  });
  return element('ul', { 'aria-label': 'Citations' }, ...rows);
}
