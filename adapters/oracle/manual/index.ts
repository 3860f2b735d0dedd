import { checkOptions, type NoOptions } from '../../../src/domain/options';
import type { Oracle } from '../../../src/ports/oracle';

/** An oracle that never decides: operators resolve markets (`pm.resolveMarket`, `POST /markets/:id/resolve`). */
export function manualOracle(options: NoOptions = {}): Oracle {
  checkOptions('manualOracle', options, {});
  return {
    name: 'manual',
    isManual: true,
    ask: async () => ({
      outcome: 'UNKNOWN',
      probability: 0.5,
      confidence: 0,
      reasoning: 'This service has no automatic oracle: its operators resolve markets.',
    }),
  };
}
