/** The commands `markets` and `resolutions`. */
import type {
  ListMarketsAsOperatorInput,
  ListResolutionsInput,
  MarketDetailView,
  OperatorMarketView,
  ProposalView,
  ResolutionEvidenceView,
  ResolutionSummaryView,
  ResolveMarketInput,
  RoundView,
  VoteView,
} from 'express-prediction-market';
import { operatorCommand, type OperatorGroup } from '../operator-command';
import { choice, MARKET, option, PAGE, type GivenField } from '../operator-fields';

interface MarketId {
  id: string;
}

type Outcome = ResolveMarketInput['outcome'];
type Progress = NonNullable<ListResolutionsInput['status']>;
const PROGRESS: Record<Progress, 0> = { waiting: 0, stalled: 0, proposed: 0, escalated: 0 };
const OUTCOMES: Record<Outcome, 0> = { YES: 0, NO: 0, VOID: 0 };

const OUTCOME: GivenField<Outcome> = {
  kind: 'argument',
  description: 'what the market is resolved to; VOID pays 0.50 USD for each share',
  values: Object.keys(OUTCOMES),
};

export const MARKETS: OperatorGroup = {
  name: 'markets',
  description: 'list the markets with their resolutions, close and resolve them',
  commands: [
    operatorCommand({
      name: 'list',
      description: 'list markets, the earliest resolve date first',
      route: 'GET /markets',
      field: 'markets',
      onDatabase: (market, input: ListMarketsAsOperatorInput) => market.listMarketsAsOperator(input),
      fields: {
        status: choice('only those in this state', { open: 0, resolving: 0, resolved: 0 }),
        progress: choice('only closed ones whose resolution is in this state, by id', PROGRESS, 'state'),
        sort: choice('the order', { resolve_asc: 0, created_desc: 0, volume_desc: 0 }, 'order'),
        ...PAGE,
      },
      lines: ({ markets, total }) => [...markets.map(describeListed), `${markets.length} of ${total}`],
    }),
    operatorCommand({
      name: 'close',
      description: 'end trading now and hand the market to the oracle; it cannot be opened again',
      route: 'POST /markets/{id}/close',
      field: 'tickerId',
      onDatabase: (market, { id }: MarketId, by) => market.closeMarket({ market: id }, by),
      fields: { id: MARKET },
      lines: (market) => [describeMarket(market)],
    }),
    operatorCommand({
      name: 'resolve',
      description: 'decide the outcome and pay the positions; an open market is closed first',
      route: 'POST /markets/{id}/resolve',
      field: 'tickerId',
      onDatabase: (market, { id, ...input }: MarketId & Omit<ResolveMarketInput, 'market'>, by) =>
        market.resolveMarket({ ...input, market: id }, by),
      fields: { id: MARKET, outcome: OUTCOME, note: option('the reason, which is public') },
      lines: (market) => [describeMarket(market)],
    }),
  ],
};

export const RESOLUTIONS: OperatorGroup = {
  name: 'resolutions',
  description: 'list the markets that wait for an outcome, and ask the oracle again',
  commands: [
    operatorCommand({
      name: 'list',
      description: 'list the markets that are closed and not resolved, by id',
      route: 'GET /resolutions',
      field: 'resolutions',
      onDatabase: (market, input: ListResolutionsInput) => market.listResolutions(input),
      fields: { status: choice('only those in this state', PROGRESS), ...PAGE },
      lines: ({ resolutions, total }) => [
        ...resolutions.map(describeResolution),
        `${resolutions.length} of ${total}`,
      ],
    }),
    operatorCommand({
      name: 'show',
      description: 'show the rounds of the oracle on a market, with votes and costs',
      route: 'GET /markets/{id}/resolution',
      field: 'rounds',
      onDatabase: (market, { id }: MarketId) => market.getResolutionEvidence(id),
      fields: { id: MARKET },
      lines: describeEvidence,
    }),
    operatorCommand({
      name: 'retry',
      description: 'ask the oracle again about a market that waits for an operator',
      route: 'POST /markets/{id}/resolution/retry',
      field: 'rounds',
      onDatabase: (market, { id }: MarketId, by) => market.retryResolution({ market: id }, by),
      fields: { id: MARKET },
      lines: describeEvidence,
    }),
  ],
};

function describeListed({ progress, ...market }: OperatorMarketView): string {
  if (progress === null) return describeMarket(market);
  const proposed = progress.proposal === null ? '' : ` ${describeProposal(progress.proposal)}`;
  return describeMarket(market, ` (${progress.status}${proposed})`);
}

function describeMarket(
  { tickerId, status, resolution, yesPrice, volume, resolveDate, question }: MarketDetailView,
  progress = '',
): string {
  const state = resolution === null ? status : `${status} ${resolution.outcome}`;
  return `${tickerId}  ${state}${progress}  YES ${yesPrice}  volume ${volume} USD  ends ${resolveDate}  ${question}`;
}

/** The ticker, as the service writes it. Answers about resolutions have only the number of the market. */
const tickerOf = (marketId: number): string => `PM-${String(marketId).padStart(4, '0')}`;

function describeResolution(resolution: ResolutionSummaryView): string {
  const { marketId, status, round, lastOutcome, nextAttemptAt, question } = resolution;
  const next = nextAttemptAt === null ? 'an operator decides' : `next ${nextAttemptAt}`;
  return `${tickerOf(marketId)}  ${status}  round ${round}: ${lastOutcome ?? '-'}  ${next}  ${question}`;
}

function describeEvidence({ marketId, status, proposal, rounds }: ResolutionEvidenceView): string[] {
  const proposed = proposal === undefined ? '' : ` ${describeProposal(proposal)}`;
  return [`market ${tickerOf(marketId)}: ${status}${proposed}`, ...rounds.flatMap(describeRound)];
}

function describeProposal({ outcome, payAt }: ProposalView): string {
  return `${outcome}, ${payAt === null ? 'an operator decides' : `paid ${payAt}`}`;
}

function describeRound({ round, startedAt, consensus, votes }: RoundView): string[] {
  const found = consensus === null ? 'under way' : `${consensus.outcome}, confidence ${consensus.confidence}`;
  return [`round ${round}  ${startedAt}  ${found}`, ...votes.map(describeVote)];
}

function describeVote({ oracle, outcome, confidence, costUsd, error, reasoning }: VoteView): string {
  const cost = costUsd === undefined ? '' : `  cost ${costUsd} USD`;
  const said = error === undefined ? reasoning : `failed: ${error}`;
  return `  ${oracle}  ${outcome}  confidence ${confidence}${cost}  ${said}`;
}
