/** The sentences of adapters/storage/memory/row-store-port.ts, under the names that tests cite. */
import { CURES } from '../conformance/cures';
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

const ROW_STORE_CURES: Readonly<Partial<Record<RowStoreSentence, string>>> = {
  keys: 'Let the database compare keys byte by byte, such as with the collation `C` or `BINARY`, and encode a key that is part of an address.',
  sizes: 'Use columns and requests without a limit of their own, such as `TEXT`.',
  texts:
    'Send texts as JSON or as parameters in UTF-8, and never as a part of a statement. Let the driver convert no text.',
  absent:
    'Take a key that is not there for removed already, and write a row whether its key is there or not.',
  owner:
    'Let `load` write a new random id of its process, and let each write check this id in the transaction of its rows.',
  handover: 'Let `load` first become the owner, and then read the rows.',
  stale: 'Let each write check in the transaction of its rows that its process is still the owner.',
  whole: 'Store all rows in one transaction, or in one file that takes the place of the old one.',
  lost: 'Let every error of the database reject, and keep no row for later.',
  answered:
    'Check the HTTP status and the whole form of each answer: each row is two texts, and the number of rows or an end mark shows that none is missing. Otherwise reject.',
  redirect: CURES.redirect,
  ends: CURES.timeLimit,
  kept: 'Let `write` fulfil only after the database has confirmed the rows, or after `fsync` of the file.',
};

export const ROW_STORE_CONTRACT: Contract<RowStoreSentence> = {
  port: 'RowStore',
  where:
    'docs/storage-adapters.md, "The short way", and the comments of adapters/storage/memory/row-store-port.ts',
  sentences: SENTENCES,
  cures: ROW_STORE_CURES,
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
