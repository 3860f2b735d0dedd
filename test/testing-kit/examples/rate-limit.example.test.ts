import { describe, expect, it } from '@jest/globals'; // or from 'vitest'
import { memoryRateLimit } from 'express-prediction-market';
import { rateLimitConformance } from 'express-prediction-market/testing';

rateLimitConformance(
  { describe, it, expect },
  {
    create: async () => ({
      backend: memoryRateLimit(),
      // Counts are in this process: no other instance shares them, and there is no server to cut off.
      another: false,
      cutOff: false,
      destroy: async () => undefined,
    }),
  },
);
