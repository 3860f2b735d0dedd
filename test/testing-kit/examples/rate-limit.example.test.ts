import { memoryRateLimit } from 'express-prediction-market';
import { rateLimitConformance } from 'express-prediction-market/testing';

rateLimitConformance(
  { describe, it, expect },
  {
    create: async () => ({
      backend: memoryRateLimit(),
      // Counted in this process: no instance shares the counts, and there is nothing to be cut off from.
      another: false,
      cutOff: false,
      destroy: async () => undefined,
    }),
  },
);
