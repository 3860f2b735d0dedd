import type { NumberedFact } from '../../domain/events';
import type { Storage } from '../../ports/storage';

const PAGE = 100;

/** Pages of facts. Webhooks that have reached the same fact share a read. */
export interface FactPages {
  after(seq: number): Promise<NumberedFact[]>;
  /** Called when there may be new facts. Reads that began earlier are then shared no longer. */
  refresh(): void;
}

export function createFactPages(storage: Pick<Storage, 'read'>): FactPages {
  let underWay = new Map<number, Promise<NumberedFact[]>>();
  async function read(seq: number): Promise<NumberedFact[]> {
    const rows = await storage.read((reader) => reader.events.after(seq, PAGE));
    return rows.map((row) => ({ ...row, seq: numberOf(row.seq) }));
  }
  return {
    after(seq) {
      const reads = underWay;
      const known = reads.get(seq);
      if (known !== undefined) return known;
      const page = read(seq).finally(() => reads.delete(seq));
      reads.set(seq, page);
      return page;
    },
    refresh: () => (underWay = new Map()),
  };
}

function numberOf(seq: number | null): number {
  if (seq === null) throw new Error('A fact that is read after a position has its number');
  return seq;
}
