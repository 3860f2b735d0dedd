/** Makes the adapters that settle payments and send withdrawals, from the settings. */
import { FetchRequest } from 'ethers';
import type { Logger } from 'pino';
import type { Facilitator, PredictionMarketOptions } from 'express-prediction-market';
import { developmentFacilitator } from 'express-prediction-market/facilitator/development';
import { evmFacilitator } from 'express-prediction-market/facilitator/evm';
import { httpFacilitator } from 'express-prediction-market/facilitator/http';
import { developmentPayout } from 'express-prediction-market/payout/development';
import { evmPayout } from 'express-prediction-market/payout/evm';
import type { FacilitatorChoice, PaymentSettings, PayoutChoice } from './payment-settings';

export interface Payments {
  /** The adapters, as options of the market. */
  options: Pick<PredictionMarketOptions, 'facilitator' | 'payout'>;
  /** Logs a warning if the node or the facilitator does not answer. Never rejects, because both may come back. */
  warnIfAway(): Promise<void>;
  /** Stops watching transactions on the chain. Call it after the market has closed. */
  close(): void;
}

export function createPayments(settings: PaymentSettings, logger: Logger): Payments {
  const { facilitator, close } = createFacilitator(settings.facilitator);
  const payout = createPayout(settings.payout);
  return {
    options: { facilitator, ...(payout !== undefined && { payout }) },
    async warnIfAway() {
      if (settings.facilitator.kind === 'http') void warnOfFacilitator(facilitator, logger);
      if (settings.facilitator.kind !== 'development' && settings.facilitator.rpcUrl !== undefined)
        await warnOfNode(settings.facilitator.rpcUrl, logger);
    },
    close,
  };
}

function createFacilitator(choice: FacilitatorChoice): { facilitator: Facilitator; close(): void } {
  switch (choice.kind) {
    case 'development':
      // The facilitator prints no warning here, because the banner warns operators.
      return { facilitator: developmentFacilitator({ warn: () => undefined }), close: () => undefined };
    case 'http': {
      const { url, authorization, rpcUrl } = choice;
      const facilitator = httpFacilitator({
        url,
        ...(authorization !== undefined && { headers: { authorization } }),
        ...(rpcUrl !== undefined && { rpcUrl }),
      });
      return { facilitator, close: () => undefined };
    }
    case 'evm': {
      const { privateKey } = choice.settler;
      const facilitator = evmFacilitator({ rpcUrl: choice.rpcUrl, privateKey });
      return { facilitator, close: () => facilitator.close() };
    }
  }
}

function createPayout(choice: PayoutChoice): PredictionMarketOptions['payout'] {
  switch (choice.kind) {
    case 'development':
      return developmentPayout();
    case 'evm': {
      const { rpcUrl, treasury, finalityDepth } = choice;
      return evmPayout({ rpcUrl, privateKey: treasury.privateKey, finalityDepth });
    }
    case 'none':
      return undefined;
  }
}

async function warnOfFacilitator(facilitator: Facilitator, logger: Logger): Promise<void> {
  const reason = await facilitator
    .supported()
    .then((supported) => (supported.status === 'unavailable' ? supported.reason : null), String);
  if (reason !== null) logger.warn({ reason }, 'FACILITATOR_URL: the facilitator does not answer');
}

/** The time limit of the check. A node that does not answer must not keep the server from starting. */
const NODE_CHECK_LIMIT_MS = 5000;

async function warnOfNode(rpcUrl: string, logger: Logger): Promise<void> {
  if (!(await answers(rpcUrl)))
    logger.warn({}, 'RPC_URL: the node does not answer; payments wait until it does');
}

/** Whether a node answers in time at this address. */
async function answers(rpcUrl: string): Promise<boolean> {
  const request = new FetchRequest(rpcUrl);
  request.timeout = NODE_CHECK_LIMIT_MS;
  request.setThrottleParams({ maxAttempts: 1 });
  request.body = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
  try {
    const { result } = (await request.send()).bodyJson as { result?: unknown };
    return typeof result === 'string' && /^0x[0-9a-f]+$/i.test(result);
  } catch {
    return false;
  }
}
