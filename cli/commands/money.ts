/** The commands `deposits` and `treasury`. */
import type {
  AccountView,
  DepositInput,
  TreasuryDepositInput,
  TreasuryView,
} from 'express-prediction-market';
import { operatorCommand, type Look, type OperatorGroup } from '../operator-command';
import { READ_LOG } from './log';
import { AMOUNT, required, WALLET } from '../operator-fields';

const REFERENCE = required(
  'your own text for the deposit; each text is credited once, so a repeated command credits nothing',
);

export const DEPOSITS: OperatorGroup = {
  name: 'deposits',
  description: 'credit a wallet with money that has arrived',
  commands: [
    operatorCommand({
      name: 'add',
      description: 'credit a wallet with money from outside',
      route: 'POST /accounts/{address}/deposits',
      field: 'reference',
      onDatabase: (market, input: DepositInput, by) => market.deposit(input, by),
      fields: { address: WALLET, amount: AMOUNT, reference: REFERENCE },
      lines: async ({ amount, reference, ...account }, look) => [
        `credited ${amount} USD to ${account.address}${await when('account.deposit', reference, look)}`,
        `after it: ${describeFunds(account)}`,
      ],
    }),
  ],
};

export const TREASURY: OperatorGroup = {
  name: 'treasury',
  description: 'show the money of the house, and add to it',
  commands: [
    operatorCommand({
      name: 'show',
      description: 'show what the house has, and what it can still lose',
      route: 'GET /treasury',
      field: 'solvent',
      onDatabase: (market) => market.getTreasury(),
      fields: {},
      lines: (house) => [describeHouse(house)],
    }),
    operatorCommand({
      name: 'deposit',
      description: 'credit the house with money from outside',
      route: 'POST /treasury/deposits',
      field: 'reference',
      onDatabase: (market, input: TreasuryDepositInput, by) => market.depositToTreasury(input, by),
      fields: { amount: AMOUNT, reference: REFERENCE },
      lines: async ({ amount, reference, balance }, look) => [
        `credited ${amount} USD to the treasury${await when('treasury.deposit', reference, look)}`,
        `after it: balance ${balance} USD`,
      ],
    }),
  ],
};

const NEWEST_ACTS = 100;

/**
 * The reference and, if the newest acts of the operators' log contain the credit, its time. A repeated deposit gets
 * the answer of the first, so only this time shows the operator that no new money was credited.
 */
async function when(
  action: 'account.deposit' | 'treasury.deposit',
  reference: string,
  look: Look,
): Promise<string> {
  const log = await look(READ_LOG, { action, limit: NEWEST_ACTS });
  const act = log?.acts.find(({ details }) => details['reference'] === reference && !('credited' in details));
  if (act !== undefined) return ` at ${act.at} for the reference ${reference}`;
  const unknown =
    log === null ? '' : `; the newest ${NEWEST_ACTS} such credits in the operators' log do not have it`;
  return ` for the reference ${reference}${unknown}`;
}

export function describeFunds({ balance, reserved, available }: AccountView): string {
  return `balance ${balance} USD, reserved ${reserved} USD, available ${available} USD`;
}

function describeHouse({ balance, exposure, limit, solvent }: TreasuryView): string {
  const state = solvent ? 'solvent' : 'NOT SOLVENT: withdrawals wait';
  return `balance ${balance} USD, exposure ${exposure} USD, limit ${limit} USD: ${state}`;
}
