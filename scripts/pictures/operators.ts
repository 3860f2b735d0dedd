/** Fills the lists of the operators' pages: applications, withdrawals, a consumer and a webhook that fail. */
import { Wallet } from 'ethers';
import type { PredictionMarket } from 'express-prediction-market';
import { signChallenge } from '../../test/support/sign-challenge';

export async function fillOperatorsLists(market: PredictionMarket): Promise<void> {
  await apply(
    market,
    'Harbour Watch',
    'Ferries, tides and the weather on the coast. I name the source in each question.',
  );
  const refused = await apply(market, 'Quick Bets', 'Anything.');
  await market.rejectCreator({ address: refused, reason: 'Say which sources decide your questions.' });

  const failing = (): Promise<void> => Promise.reject(new Error('the ledger of the host does not answer'));
  const consumer = await market.consume('billing', failing, { from: 'now', attempts: 1 });
  // Nothing listens on port 9, so the deliveries fail.
  await market.createWebhook({ url: 'http://127.0.0.1:9/hook', description: 'The newsroom' });
  const wallet = Wallet.createRandom().address;
  await market.deposit({ address: wallet, amount: 120, reference: 'wire 2026-11-20' });
  await market.requestWithdrawal({ wallet, amount: 40 });
  const { markets } = await market.listMarkets({ status: 'open', limit: 1 });
  for (const { id } of markets) await market.placeTrade({ wallet, market: id, side: 'YES', amount: 15 });
  await market.runJobs();
  await consumer.stop();
}

async function apply(market: PredictionMarket, displayName: string, statement: string): Promise<string> {
  const wallet = Wallet.createRandom();
  const signed = await signChallenge(wallet, (address) =>
    market.issueChallenge({ address, action: 'apply' }),
  );
  await market.applyAsCreator({ ...signed, displayName, statement });
  return wallet.address;
}
