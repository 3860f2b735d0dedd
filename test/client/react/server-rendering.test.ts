import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { createClient } from '../../../src/client';
import {
  PredictionMarketProvider,
  useMarket,
  usePosition,
  usePrice,
  useTrade,
} from '../../../src/client/react';

function Page(): ReactNode {
  const shown = [useMarket(1), usePrice(1), usePosition(1)].map(
    ({ status, data }) => `${status} ${data === null ? 'none' : 'data'}`,
  );
  return createElement('p', null, [...shown, String(useTrade(1).isPlacing)].join(', '));
}

it('show that they load, and ask for nothing', () => {
  const fetch = jest.fn();
  const WebSocket = jest.fn();
  const client = createClient({
    baseUrl: 'https://market.example',
    apiKey: 'pmk_1',
    fetch,
    WebSocket: WebSocket as never,
  });
  const page = createElement(PredictionMarketProvider, { client }, createElement(Page));
  expect(renderToString(page)).toBe('<p>loading none, loading none, loading none, false</p>');
  expect([fetch.mock.calls, WebSocket.mock.calls]).toEqual([[], []]);
});

it('say what is missing without a provider', () => {
  expect(() => renderToString(createElement(Page))).toThrow('needs a PredictionMarketProvider above it');
});
