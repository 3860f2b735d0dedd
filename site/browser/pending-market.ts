/** Opening a market has no idempotency key, so it is not sent a second time before its creator has said so. */
import type { NewMarket } from '../../src/client';
import { pendingPlace } from './pending';
import { windowsPlace } from './windows-place';

export const pendingMarkets = pendingPlace<NewMarket>(
  windowsPlace,
  'market',
  ({ question }) => typeof question === 'string',
);
