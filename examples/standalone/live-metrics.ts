/** The sockets and streams of this instance. Each instance shows its own. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { LiveFigures, PredictionMarket } from 'express-prediction-market';

type Live = Pick<PredictionMarket, 'liveFigures'>;

const GAUGES: Record<string, { help: string; of: (figures: LiveFigures) => number }> = {
  prediction_market_live_sockets: { help: 'Open WebSockets.', of: ({ sockets }) => sockets.open },
  prediction_market_live_readers: { help: 'Open WebSockets and streams.', of: ({ readers }) => readers },
  prediction_market_live_channels: {
    help: 'Channels with at least one reader.',
    of: ({ channels }) => channels,
  },
  prediction_market_live_catching_up: {
    help: 'Readers that are being told what they missed.',
    of: ({ catchingUp }) => catchingUp,
  },
};

export function observeLive(registry: Registry, market: Live): void {
  const registers = [registry];
  for (const [name, { help, of }] of Object.entries(GAUGES))
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(of(market.liveFigures()));
      },
    });
  const total = (
    name: string,
    help: string,
    labelNames: string[],
    collect: (counter: Counter) => void,
  ): void => {
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        // The service counts by itself. At each scrape the counter takes over the service's figure.
        this.reset();
        collect(this);
      },
    });
  };
  total('prediction_market_live_messages_total', 'Messages of facts handed to WebSockets.', [], (counter) =>
    counter.inc(market.liveFigures().sockets.messages),
  );
  total(
    'prediction_market_live_closed_total',
    'WebSockets that the service has closed, by close code; 1013: the client was too slow.',
    ['code'],
    (counter) => {
      const { closed } = market.liveFigures().sockets;
      for (const [code, count] of Object.entries(closed)) counter.inc({ code }, count);
    },
  );
  total(
    'prediction_market_live_refused_total',
    'Upgrades to a WebSocket that were refused, by HTTP status.',
    ['status'],
    (counter) => {
      const { refused } = market.liveFigures().sockets;
      for (const [status, count] of Object.entries(refused)) counter.inc({ status }, count);
    },
  );
}
