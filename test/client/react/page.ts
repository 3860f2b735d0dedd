import { createElement, StrictMode, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from '../../../src/client';
import {
  PredictionMarketProvider,
  useMarket,
  usePosition,
  usePrice,
  useTrade,
  type Shown,
} from '../../../src/client/react';

const { apiKey, market } = (globalThis as unknown as { page: { apiKey: string; market: number } }).page;
const client = createClient({ baseUrl: '', apiKey });

function line(name: string, { status, since, error }: Shown<unknown>, text: string): ReactNode {
  return createElement('p', { id: name, 'data-since': since }, `${status} ${error?.code ?? 'well'} ${text}`);
}
function Question(): ReactNode {
  const shown = useMarket(market);
  return line('market', shown, `${shown.data?.status ?? ''} ${shown.data?.resolution?.outcome ?? ''}`);
}
function Price(): ReactNode {
  const shown = usePrice(market);
  return line('price', shown, String(shown.data?.yesPrice));
}
function Holdings(): ReactNode {
  const shown = usePosition(market);
  return line('position', shown, String(shown.data?.map(({ side, shares }) => `${side} ${shares}`).join()));
}
function Ticket(): ReactNode {
  const { place, isPlacing, trade, error } = useTrade(market);
  const buy = (): void => void place({ side: 'YES', amount: 25 }).catch(() => undefined);
  return createElement(
    'button',
    { onClick: buy, disabled: isPlacing },
    `bought ${String(trade?.shares)} ${error?.code ?? ''}`,
  );
}
function App(): ReactNode {
  const [isOpen, setOpen] = useState(true);
  return createElement(
    'section',
    null,
    createElement('input', { type: 'checkbox', checked: isOpen, onChange: () => setOpen(!isOpen) }),
    isOpen && createElement(Price),
    createElement(Question),
    createElement(Holdings),
    createElement(Ticket),
  );
}

const { document } = globalThis as unknown as { document: { querySelector(selector: string): never } };
const root = createRoot(document.querySelector('main'));
root.render(
  createElement(StrictMode, null, createElement(PredictionMarketProvider, { client }, createElement(App))),
);
