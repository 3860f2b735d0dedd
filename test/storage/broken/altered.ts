import type { Reader, Storage, Transaction } from '../../../src/ports/storage';

interface Alteration {
  reader?(reader: Reader): Partial<Reader>;
  transaction?(transaction: Transaction): Partial<Transaction>;
}

export function altered(storage: Storage, { reader, transaction }: Alteration): Storage {
  const read = (original: Reader): Reader => ({ ...original, ...reader?.(original) });
  return {
    ...storage,
    read: (work) => storage.read((r) => work(read(r))),
    snapshot: (work) => storage.snapshot((r) => work(read(r))),
    transaction: (work) =>
      storage.transaction((original) => work({ ...original, ...transaction?.(original) })),
  };
}
