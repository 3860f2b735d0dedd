import { createPredictionMarket, type Facilitator } from 'express-prediction-market';
import { evmFacilitator } from 'express-prediction-market/facilitator/evm';
import { httpFacilitator } from 'express-prediction-market/facilitator/http';
import { manualOracle } from 'express-prediction-market/oracle/manual';
import { evmPayout } from 'express-prediction-market/payout/evm';
import { mortalFacilitator, mortalPayout, mortalStorage } from './mortal-ports';
import { clock, reached, runProgram, storageAt, type ProgramSettings } from './mortal-program';

export interface ServerSettings extends ProgramSettings {
  rpcUrl: string;
  /** Address of a facilitator service. `null`: the server settles with its own key. */
  facilitatorUrl: string | null;
  /** Whether the server looks payments up on the chain. `false`: the server asks the facilitator service. */
  facilitatorAsksChain: boolean;
  settlerKey: string;
  treasuryKey: string;
  payTo: string;
}

function facilitatorOf(settings: ServerSettings): Facilitator {
  const { facilitatorUrl: url, facilitatorAsksChain, rpcUrl, settlerKey } = settings;
  return url === null
    ? evmFacilitator({ rpcUrl, privateKey: settlerKey, pollIntervalMs: 20, clock })
    : httpFacilitator({ url, clock, ...(facilitatorAsksChain && { rpcUrl }) });
}

void runProgram((settings: ServerSettings) => {
  const { rpcUrl, treasuryKey, payTo, jobIntervalMs } = settings;
  const pm = createPredictionMarket({
    storage: mortalStorage(storageAt(settings.storage), reached),
    oracle: manualOracle(),
    facilitator: mortalFacilitator(facilitatorOf(settings), reached),
    payout: mortalPayout(evmPayout({ rpcUrl, privateKey: treasuryKey, confirmations: 1, clock }), reached),
    payTo,
    exposureLimit: 1_000_000_000,
    jobIntervalMs,
    addressRateLimit: 1_000_000,
    clock,
  });
  return {
    pm,
    routes: {
      markets: () => pm.listMarkets(),
      withdrawals: ({ wallet = '' }) => pm.listWithdrawals({ wallet }),
      withdraw: ({ wallet = '', amount, key = '' }) =>
        pm.requestWithdrawal({ wallet, amount: Number(amount), idempotencyKey: key }),
      fund: ({ wallet = '', amount, key = '' }) =>
        pm.deposit({ address: wallet, amount: Number(amount), reference: key }),
    },
  };
});
