import { describe, expect, it } from '@jest/globals';
import { memoryStorage } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import { storageConformance } from '../../testing/storage-conformance';

storageConformance(
  { describe, it, expect },
  {
    provenElsewhere: ['pageCost', 'walkCost'],
    async create() {
      const storage = memoryStorage();
      await storage.open({ logger: silentLogger });
      return {
        storage,
        durable: false,
        another: false,
        inspect: false,
        cutOff: false,
        loseCommit: false,
        destroy: () => storage.close(),
      };
    },
  },
);
