/** The sentences of adapters/storage/memory/row-store-port.ts, under the names that tests cite. */
import type { Contract } from '../conformance/runner';

const SENTENCES = {
  rows: 'Returns all rows by key.',
  keys: 'Keys are compared byte by byte: letter case, accents and spaces count.',
  sizes: 'A key has up to 1,000 bytes of UTF-8, and a row may have several megabytes.',
  texts: 'Both may contain every character except U+0000 to U+001F and halves of surrogate pairs.',
  removed: '`null`: the row was removed.',
  absent: 'The store may not have the key, because a transaction can add a row and remove it.',
  owner:
    'If another process still uses the store, `load` rejects, or makes the later writes of that process fail.',
  handover: 'If a write of that process fulfils although `load` has begun, `load` returns its rows too.',
  stale:
    'A write of that process that begins after `load` has fulfilled fails, and no later `load` returns its rows.',
  whole: 'Stores the rows of one transaction, all or none.',
  lost: 'If the store cannot reach its database, `load` and `write` reject.',
  answered:
    'Both also reject when the database answers with an error or a redirect, or when they cannot read the answer.',
  redirect: 'Rows and secrets go only to the database: a store follows no redirect.',
  ends: 'Every call ends by itself, so a store that asks a service has a time limit of its own.',
  kept: 'When it fulfils, the rows survive a crash.',
} as const;

export type RowStoreSentence = keyof typeof SENTENCES;

export const ROW_STORE_CONTRACT: Contract<RowStoreSentence> = {
  port: 'RowStore',
  where:
    'docs/storage-adapters.md, "The short way", and the comments of adapters/storage/memory/row-store-port.ts',
  sentences: SENTENCES,
};

/** Sentences of the port that the suite does not check. */
export const ROW_STORE_EXPLANATIONS: readonly string[] = [
  'A key, such as `accounts/wallet:0x…`, and the JSON of its row.',
  'Where a memory storage keeps its rows: any store of texts by key, such as a file.',
  'Only one process at a time may use a store, because other processes would not see its writes.',
  'From then on, only this process may write.',
  'The storage calls `load` again only if the attempt to open it has failed.',
  'When it rejects, or takes more than 4 seconds, the storage does not know what is stored.',
  'The storage then refuses every call until the process has been started again.',
  'The storage makes one call at a time.',
];
