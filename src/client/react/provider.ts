import { createContext, createElement, useContext, type ReactNode } from 'react';
import type { PredictionMarketClient } from '../create-client';
import { createStore, type Store } from './store';

const StoreContext = createContext<Store | null>(null);
/** Providers with the same client share its connection. */
const stores = new WeakMap<PredictionMarketClient, Store>();

/** The properties of `PredictionMarketProvider`. */
export interface PredictionMarketProviderProps {
  /** The client of all hooks below. Make it once, outside the components. */
  client: PredictionMarketClient;
  /** The components that use the hooks. */
  children?: ReactNode;
}

/** Gives the hooks below it a client. Providers with the same client share its live connection. */
export function PredictionMarketProvider({ client, children }: PredictionMarketProviderProps): ReactNode {
  const store = stores.get(client) ?? createStore(client);
  stores.set(client, store);
  return createElement(StoreContext.Provider, { value: store }, children);
}

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('This component needs a PredictionMarketProvider above it.');
  return store;
}

/** The client of the provider, for calls that no hook makes. */
export function useClient(): PredictionMarketClient {
  return useStore().client;
}
