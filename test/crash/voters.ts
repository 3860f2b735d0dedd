import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Vote } from '../../src/domain/oracle/vote';
import { close, listen } from '../facilitator/support/facilitator-server';
import { away, vote } from '../usecases/resolution/judges';

export interface RoundAsked {
  market: number;
  round: number;
  status: string;
}

const SAYINGS = {
  YES: ['YES', 'YES'],
  NO: ['NO', 'NO'],
  split: ['YES', 'NO'],
  away: ['away', 'away'],
} as const;
export type Saying = keyof typeof SAYINGS;

const LOST_BEFORE: Record<Saying, Saying> = { YES: 'NO', NO: 'YES', split: 'NO', away: 'YES' };

export interface Voters {
  url: string;
  /** In round n the voters say entry n - 1. After the last entry the voters are away. */
  script(market: number, script: readonly Saying[], lost?: number): void;
  /** The rounds for which a server asked, in order. A vote has the reasoning `asking <index>`. */
  asked(market: number): { index: number; asked: RoundAsked }[];
  hold(): () => void;
  close(): Promise<void>;
}

export function votesOf(saying: Saying, reasoning: string): Vote[] {
  return SAYINGS[saying].map((outcome) => (outcome === 'away' ? away : vote(outcome, { reasoning })));
}

export async function startVoters(): Promise<Voters> {
  const scripts = new Map<number, { script: readonly Saying[]; lost: number | null }>();
  const all: RoundAsked[] = [];
  let held: Promise<void> = Promise.resolve();

  function say(asked: RoundAsked): Vote[] {
    const { market, round } = asked;
    const isFirst = !all.some((earlier) => earlier.market === market && earlier.round === round);
    const { script = [], lost = null } = scripts.get(market) ?? {};
    const saying = script[round - 1] ?? 'away';
    all.push(asked);
    return votesOf(isFirst && round === lost ? LOST_BEFORE[saying] : saying, `asking ${all.length - 1}`);
  }

  const server = createServer((request, response) => {
    void json(request)
      .then(async (body) => {
        const votes = say(body as RoundAsked);
        await held;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ outcome: 'UNKNOWN', probability: 0.5, confidence: 0, votes }));
      })
      .catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    script: (market, script, lost) => void scripts.set(market, { script, lost: lost ?? null }),
    asked: (market) =>
      all.map((asked, index) => ({ index, asked })).filter(({ asked }) => asked.market === market),
    hold() {
      let release = (): void => undefined;
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
    close: () => close(server),
  };
}
