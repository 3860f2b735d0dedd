/** The data of one market. They begin with the snapshot of its channel and change with its messages. */
import type { MarketDetail } from '../api.generated';
import type { PredictionMarketClient } from '../create-client';
import { refusalError } from '../live/errors';
import type { Follower } from '../live/shared-feed';
import type { LiveEvent, MarketSnapshot } from '../live/live-messages';
import { createCell } from './shown';
import { asApiError, ONCE, type Entry } from './entry';

export function createMarketEntry(
  client: Pick<PredictionMarketClient, 'markets' | 'timers'>,
  id: number,
): Entry<MarketDetail> {
  const { now } = client.timers;
  const cell = createCell<MarketDetail>(now);
  /** The number of the newest fact of the market that the data contain. */
  let marketSeq = 0;
  /**
   * Raised when the channel begins or is lost, and when the resolution is read. An answer to an earlier request then
   * changes nothing.
   */
  let turn = 0;

  function begin({ marketSeq: seq, ...market }: MarketSnapshot): void {
    turn += 1;
    marketSeq = seq;
    cell.live(market);
  }

  function take(event: LiveEvent): void {
    const { data } = cell.get();
    if (data === null || event.marketSeq === null || event.marketSeq <= marketSeq) return;
    marketSeq = event.marketSeq;
    if (event.event === 'trade') {
      const { yesPrice, noPrice, volume, liquidity } = event.data;
      show({ ...data, yesPrice, noPrice, volume, liquidity });
    } else if (event.event === 'market.resolved') {
      readResolution({ ...data, status: event.data.status });
    } else if ('status' in event.data && event.event.startsWith('market.')) {
      show({ ...data, status: (event.data as { status: MarketDetail['status'] }).status });
    }
  }

  /** Shows the changed market. Stale data stay stale, for example while the resolution is being read. */
  function show(market: MarketDetail): void {
    if (cell.get().status === 'live') cell.live(market);
    else cell.stale(market, now());
  }

  /**
   * Reads the resolution, which the message `market.resolved` does not contain. The data are stale until the answer.
   */
  function readResolution(market: MarketDetail): void {
    cell.stale(market, now());
    turn += 1;
    const mine = turn;
    client.markets.get(id).then(
      ({ resolution }) => {
        const { data } = cell.get();
        if (mine === turn && data !== null) cell.live({ ...data, resolution });
      },
      (error: unknown) => {
        if (mine === turn) cell.failed(asApiError(error));
      },
    );
  }

  const follower: Follower = {
    begin({ snapshot }) {
      const market = snapshot.markets?.find((each) => each.id === id);
      if (market !== undefined) begin(market);
    },
    event: take,
    lost() {
      turn += 1;
      cell.lost();
    },
    refused: (refusal) => cell.failed(refusalError(refusal)),
  };

  return {
    cell,
    follower,
    async ask() {
      const mine = turn;
      const asked = now();
      try {
        const market = await client.markets.get(id, ONCE);
        if (mine === turn && cell.get().status !== 'live') cell.stale(market, asked);
      } catch (error) {
        if (mine === turn) cell.failed(asApiError(error));
        throw error;
      }
    },
  };
}
