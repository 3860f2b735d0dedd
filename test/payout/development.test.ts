import { developmentPayout } from '../../adapters/payout/development';
import { payoutConformance, testWallet } from '../../testing';
import { REQUIREMENTS } from '../facilitator/support/requirements';

describe('development payout', () => {
  let id = 0;
  const order = () => {
    id += 1;
    const to = testWallet(`payee ${id}`).address.toLowerCase();
    return { id, to, amount: 1_000_000n, network: REQUIREMENTS.network, asset: REQUIREMENTS.asset };
  };

  payoutConformance(
    { describe, it, expect },
    {
      create: async () => ({
        payout: developmentPayout(),
        order,
        another: async () => developmentPayout(),
        // With play money, no wallet receives anything and no service can fail.
        ...{
          received: false,
          treasury: false,
          fund: false,
          unpayable: false,
          stall: false,
          provisional: false,
          overtake: false,
        },
        ...{
          fail: false,
          hide: false,
          loseAnswer: false,
          failWith: false,
          redirect: false,
          garble: false,
          silence: false,
          cutOff: false,
          secrets: false,
        },
        destroy: async () => undefined,
      }),
    },
  );
});
