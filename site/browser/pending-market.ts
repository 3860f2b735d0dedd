/** A request to open a market has no idempotency key, so the page does not repeat it by itself. */
import type { NewMarket } from '../../src/client';
import { pendingPlace } from './pending';
import { windowsPlace } from './windows-place';

export const pendingMarkets = pendingPlace<NewMarket>(
  windowsPlace,
  'market',
  ({ question }) => typeof question === 'string',
);
