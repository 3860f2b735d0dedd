/** The sentences of adapters/storage/memory/row-store-port.ts, under the names that tests cite. */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  rows: 'All rows by key.',
  keys: 'Keys are compared byte by byte: letter case, accents and spaces count.',
  removed: '`null`: the row was removed.',
  owner:
    'From then on this process is the only one that writes, so `load` refuses when another one has the store, or makes the writes of the other one fail.',
  handover:
    'A write of the other one that fulfils although `load` has begun is in the rows that `load` gives.',
  whole: 'Stores the rows of one transaction, all or none.',
  lost: 'While its database cannot be reached, `load` and `write` reject.',
  kept: 'When it fulfils, a crash cannot take them away.',
} as const;

export type RowStoreSentence = keyof typeof SENTENCES;

export const ROW_STORE_CONTRACT: Contract<RowStoreSentence> = {
  port: 'RowStore',
  where:
    'docs/storage-adapters.md, "The short way", and the comments of adapters/storage/memory/row-store-port.ts',
  sentences: SENTENCES,
};

/** Sentences that explain, or bind the caller. */
export const ROW_STORE_EXPLANATIONS: readonly string[] = [
  'A key, such as `accounts/wallet:0x…`, and the JSON of its row.',
  'Where a memory storage keeps its rows: any store of texts by key, such as a file.',
  'One process at a time uses a store, because the others would not see its writes.',
  'It is called again only after it has rejected.',
  'When it rejects, or needs more than 4 seconds, the storage does not know what is stored.',
  'It then refuses every call until the process has been started again.',
  'One call is made at a time.',
];
