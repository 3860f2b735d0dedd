import type { PredictionMarketClient } from '../../../src/client';
import { element, percent, usd, type Child } from '../dom';
import { card, type Act } from './cards';
import { evidenceOf } from './evidence';
import { ask, form, type Field } from './forms';
import { choice, pagedList, pageOf, type PageRange } from './lists';
import {
  button,
  facts,
  strangersText,
  heading,
  mono,
  more,
  moreOnDemand,
  pageLink,
  panel,
  tag,
  when,
} from './parts';

type Admin = PredictionMarketClient['admin'];
type Listed = Awaited<ReturnType<Admin['markets']['list']>>['markets'][number];
type Outcome = Parameters<Admin['markets']['resolve']>[1]['outcome'];
type ResolutionProgress = NonNullable<Listed['progress']>;

const CHOICES = [
  ['resolving', 'Closed, not decided'],
  ['escalated', 'Only an operator can decide'],
  ['stalled', 'The oracle does not answer'],
  ['proposed', 'A proposal waits to be carried out'],
  ['waiting', 'The oracle is asked'],
  ['open', 'Open for trades'],
  ['resolved', 'Decided'],
  ['', 'All'],
] as const;

const PROGRESS: Record<ResolutionProgress['status'], string> = {
  waiting: 'closed, not decided yet',
  stalled: 'the oracle does not answer',
  proposed: 'a proposal waits',
  escalated: 'an operator must decide',
};

const isProgress = (chosen: string): chosen is ResolutionProgress['status'] =>
  Object.hasOwn(PROGRESS, chosen);

const PAYS: Record<Outcome, string> = {
  YES: 'Each YES share is paid 1 USD, each NO share nothing.',
  NO: 'Each NO share is paid 1 USD, each YES share nothing.',
  VOID: 'Each share, YES or NO, is paid 0.50 USD.',
};

const LONGEST_NOTE = 1000;

export function marketsView(client: PredictionMarketClient): HTMLElement[] {
  const status = choice({ label: 'Show', parameter: 'status', choices: CHOICES }, () => list.reload());
  const list = pagedList<Listed>({
    read: (window) => readMarkets(client, status.value(), window),
    draw: (rows) => rows.map((market) => card(market, (row, act) => drawMarket(row, act, client))),
    empty: 'No markets here.',
  });
  return [panel('Markets', status.element, list.element)];
}

async function readMarkets({ admin }: PredictionMarketClient, chosen: string, window: PageRange) {
  const answer = await admin.markets.list({ ...window, ...filterOf(chosen) });
  return pageOf(answer.markets, answer);
}

function filterOf(chosen: string): Parameters<Admin['markets']['list']>[0] {
  if (isProgress(chosen)) return { progress: chosen };
  return chosen === 'resolving' || chosen === 'open' || chosen === 'resolved' ? { status: chosen } : {};
}

function drawMarket(market: Listed, act: Act<Listed>, client: PredictionMarketClient): Child[] {
  const { id, slug, question, status, resolutionCriteria, description, progress } = market;
  const tags = progress === null ? [tag(status, status)] : [tag(PROGRESS[progress.status], 'resolving')];
  return [
    heading(question, ...tags),
    facts([
      ...marketFacts(market),
      ...progressFacts(progress),
      ['Criteria', strangersText(resolutionCriteria)],
    ]),
    ...(description === null ? [] : [more('Background', strangersText(description))]),
    moreOnDemand('Votes, reasons and citations', () => evidenceOf(client, id)),
    element('p', {}, pageLink(`/market/${encodeURIComponent(slug)}`, 'The page of the market')),
    ...(status === 'resolved' ? [] : [actions(market, act, client)]),
  ];
}

function marketFacts({
  tickerId,
  creator,
  resolveDate,
  yesPrice,
  volume,
  resolution,
}: Listed): [string, Child][] {
  const rows: [string, Child][] = [
    ['Market', tickerId],
    ['Resolve date', when(resolveDate)],
    ['YES at', percent(yesPrice)],
    ['Traded', usd(volume)],
    [
      'Creator',
      creator.displayName === null
        ? mono(creator.address)
        : element('span', { dir: 'auto' }, creator.displayName),
    ],
  ];
  if (resolution !== null)
    rows.push(
      ['Decided', `${resolution.outcome}, by ${resolution.method}`],
      ['On', when(resolution.resolvedAt)],
    );
  return rows;
}

function progressFacts(progress: ResolutionProgress | null): [string, Child][] {
  if (progress === null) return [];
  const { round, lastOutcome, nextAttemptAt, proposal } = progress;
  const rounds: [string, Child] = ['Rounds', String(round)];
  if (proposal !== null)
    return [
      rounds,
      ['Proposed', proposal.outcome],
      ['Is carried out', when(proposal.payAt, 'by an operator')],
    ];
  const rows: [string, Child][] = [rounds, ['Last answer', lastOutcome ?? 'none']];
  // A market that waits for an operator has no next attempt.
  if (nextAttemptAt !== null) rows.push(['Next try', when(nextAttemptAt)]);
  return rows;
}

function actions(market: Listed, act: Act<Listed>, client: PredictionMarketClient): HTMLElement {
  const made: Child[] = [more('Decide…', decision(market, act, client.admin))];
  if (market.status === 'open') made.push(closing(market, act, client.admin));
  if (market.progress?.status === 'escalated') made.push(retry(market, act, client));
  return element('div', { class: 'operators-actions' }, ...made);
}

function decision(market: Listed, act: Act<Listed>, { markets }: Admin): HTMLElement {
  const fields: Field[] = [
    {
      name: 'outcome',
      label: 'Outcome',
      choices: [
        ['', 'Choose'],
        ['YES', 'YES'],
        ['NO', 'NO'],
        ['VOID', 'VOID: the question cannot be decided'],
      ],
    },
    {
      name: 'note',
      label: 'Evidence and reason',
      kind: 'paragraphs',
      maxLength: LONGEST_NOTE,
      hint: 'Everyone sees it beside the outcome.',
    },
  ];
  return form(fields, 'Decide', ({ outcome: chosen, note }) => {
    const outcome: Outcome = chosen === 'YES' || chosen === 'NO' ? chosen : 'VOID';
    const lines = [
      market.question,
      PAYS[outcome],
      'Winners are paid at once. This is final: nothing can take it back.',
    ];
    ask({ title: `Decide ${outcome}?`, lines, yes: `Decide ${outcome}` }, () =>
      act(async () => {
        const resolved = await markets.resolve(market.id, { outcome, note });
        return { row: { ...resolved, progress: null }, text: `Decided ${outcome}. ${PAYS[outcome]}` };
      }),
    );
  });
}

function closing(market: Listed, act: Act<Listed>, { markets }: Admin): HTMLElement {
  const lines = [market.question, 'Trading ends now and does not open again. Then the oracle is asked.'];
  return button('Close now', () =>
    ask({ title: 'Close this market?', lines, yes: 'Close it' }, () =>
      act(async () => {
        const closed = await markets.close(market.id);
        return { row: { ...closed, progress: market.progress }, text: 'Closed. The oracle is asked next.' };
      }),
    ),
  );
}

function retry(market: Listed, act: Act<Listed>, { admin }: PredictionMarketClient): HTMLElement {
  return button('Ask the oracle again', () =>
    act(async () => {
      const { status } = await admin.markets.retryResolution(market.id);
      const isOpen = status !== 'open' && status !== 'resolved';
      const progress = market.progress === null || !isOpen ? null : { ...market.progress, status };
      return { row: { ...market, progress }, text: 'The voters are asked anew.' };
    }),
  );
}
