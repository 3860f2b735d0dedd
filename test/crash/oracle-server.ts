import { createPredictionMarket, type Storage } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { walletAccount } from '../../src/domain/ledger';
import type { StoredFact } from '../../src/domain/events';
import type { ResolutionState } from '../../src/domain/oracle/resolution-state';
import type { Market } from '../../src/domain/types';
import type { Oracle, OracleAnswer } from '../../src/ports/oracle';
import { holder, plantPositions } from '../position-payout-scale/seed';
import { mortalOracle, mortalStorage } from './mortal-ports';
import { clock, reached, runProgram, storageAt, timesReached, type ProgramSettings } from './mortal-program';
import type { RoundAsked } from './voters';
import { CRASH_CREATOR } from './wallets';

export interface OracleServerSettings extends ProgramSettings {
  votersUrl: string;
  resolutionIntervalMs: number;
  challengePeriodMs: number;
}

export interface MarketBooks {
  market: Pick<Market, 'status' | 'awaitsOracle'> & {
    pool: string;
    owes: boolean;
    resolution: { outcome: string; method: string } | null;
  };
  state: Pick<ResolutionState, 'status' | 'proposal'> | null;
  rounds: StoredRound[];
  /** In micro-USD, one entry for each holder. */
  balances: string[];
  unpaid: number;
  facts: string[];
  payoutFacts: number;
}

export interface StoredRound {
  round: number;
  status: string;
  decision: object | null;
  votes: readonly { outcome: string; reasoning: string; error?: string }[];
}

const ALL = 100_000;
const firstHolderOf = (marketId: number): number => 10_000 * marketId;

function outsideVoters(storage: Storage, url: string): Oracle {
  return {
    name: 'voters',
    role: 'judge',
    async ask({ marketId }) {
      const id = marketId ?? 0;
      const [newest] = await storage.read((r) => r.resolutions.listRounds({ marketId: id, limit: 1 }));
      const asked: RoundAsked = { market: id, round: newest?.round ?? 0, status: newest?.status ?? 'none' };
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(asked) });
      return (await response.json()) as OracleAnswer;
    },
  };
}

function isAboutMarket(fact: StoredFact, marketId: number): boolean {
  const { settlement } = fact.data as { settlement?: { marketId: number } };
  return fact.marketId === marketId || settlement?.marketId === marketId;
}

async function booksOf(
  storage: Storage,
  marketId: number,
  holders: number,
  seqBeforeMarket: number,
): Promise<MarketBooks> {
  const first = firstHolderOf(marketId);
  const wallets = Array.from({ length: holders }, (_, index) => walletAccount(holder(first + index)));
  const found = await storage.snapshot(async (reader) => {
    const [market] = await reader.markets.findByIds([marketId]);
    const state = await reader.resolutions.find(marketId);
    const rounds = await reader.resolutions.listRounds({ marketId, limit: ALL });
    const facts = (await reader.events.after(seqBeforeMarket, ALL)).filter((fact) =>
      isAboutMarket(fact, marketId),
    );
    return { market, state, rounds, facts };
  });
  const { market, state, rounds, facts } = found;
  if (market === undefined) throw new Error(`There is no market ${marketId}`);
  const { unpaid, accounts } = await storage.transaction(async (it) => ({
    unpaid: await it.positions.listUnpaid(marketId, ALL),
    accounts: await it.accounts.lock(wallets, clock.now()),
  }));
  const balanceOf = new Map(accounts.map(({ id, balance }) => [id, String(balance)]));
  const kinds = facts.map(({ kind }) => kind);
  const { status, awaitsOracle, pool, dueAt, resolution } = market;
  return {
    market: {
      status,
      awaitsOracle,
      pool: String(pool),
      owes: dueAt !== null,
      resolution: resolution && { outcome: resolution.outcome, method: resolution.method },
    },
    state: state && { status: state.status, proposal: state.proposal },
    rounds: rounds.map((round) => ({
      round: round.round,
      status: round.status,
      decision: round.verdict?.decision ?? null,
      votes: round.votes,
    })),
    balances: wallets.map((wallet) => balanceOf.get(wallet) ?? 'no account'),
    unpaid: unpaid.length,
    facts: kinds.filter((kind) => kind.startsWith('market.')),
    payoutFacts: kinds.filter((kind) => !kind.startsWith('market.')).length,
  };
}

void runProgram((settings: OracleServerSettings) => {
  const { votersUrl, resolutionIntervalMs, challengePeriodMs, jobIntervalMs } = settings;
  const inner = storageAt(settings.storage);
  const pm = createPredictionMarket({
    storage: mortalStorage(inner, reached),
    oracle: mortalOracle(outsideVoters(inner, votersUrl), reached),
    facilitator: developmentFacilitator(),
    payTo: CRASH_CREATOR,
    exposureLimit: 1_000_000_000,
    resolutionIntervalMs,
    challengePeriodMs,
    jobIntervalMs,
    clock,
  });

  async function openMarket(holders: number): Promise<{ id: number; seqBeforeMarket: number }> {
    const seqBeforeMarket = await inner.read((reader) => reader.events.head());
    await pm.approveCreator({ address: CRASH_CREATOR });
    const { id } = await pm.createMarket({
      creator: CRASH_CREATOR,
      question: 'Does a decision outlive its process?',
      resolutionCriteria: 'It does.',
      resolveDate: new Date(clock.now() + 2 * 3_600_000).toISOString(),
      category: 'other',
    });
    await plantPositions(inner, id, holders, clock.now(), firstHolderOf(id));
    return { id, seqBeforeMarket };
  }

  return {
    pm,
    routes: {
      open: ({ holders }) => openMarket(Number(holders)),
      books: ({ market, holders, after }) => booksOf(inner, Number(market), Number(holders), Number(after)),
      resolve: ({ market, outcome }) =>
        pm.resolveMarket({ market: Number(market), outcome: outcome === 'YES' ? 'YES' : 'NO' }),
      reached: async ({ step = '' }) => ({ times: timesReached(step) }),
    },
  };
});
