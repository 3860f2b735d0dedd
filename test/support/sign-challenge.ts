import type { Wallet } from 'ethers';
import type { PredictionMarket } from '../../src/create-prediction-market';

export interface Challenge {
  message: string;
  nonce: string;
}

export interface SignedChallenge extends Challenge {
  address: string;
  signature: string;
}

type Signer = Pick<Wallet, 'address' | 'signMessage'>;

export async function signChallenge(
  wallet: Signer,
  ask: (address: string) => Challenge | Promise<Challenge>,
): Promise<SignedChallenge> {
  const { address } = wallet;
  const { message, nonce } = await ask(address);
  return { address, message, nonce, signature: await wallet.signMessage(message) };
}

export async function issueKeyTo(
  pm: Pick<PredictionMarket, 'issueChallenge' | 'issueKey'>,
  wallet: Signer,
  label?: string,
): ReturnType<PredictionMarket['issueKey']> {
  const ask = (address: string): Promise<Challenge> => pm.issueChallenge({ address, action: 'issue' });
  return pm.issueKey({ ...(await signChallenge(wallet, ask)), ...(label !== undefined && { label }) });
}
