import Joi from 'joi';
import { amount, flag, reference, usd } from './fields.schema';
import type { TreasuryDepositView, TreasuryView } from './treasury';

export const treasury = Joi.object<TreasuryView, true>({
  balance: usd('What operators put in and the house has won, less what it has lost'),
  exposure: amount('What the house can still lose: the worst losses of all markets that are not resolved'),
  limit: amount('How far the exposure may go beyond the balance'),
  solvent: flag(
    'Whether balance is at least 0, and exposure at most balance + limit; while false, withdrawals wait',
  ),
});

export const treasuryDeposit = Joi.object<TreasuryDepositView, true>({
  balance: usd('Balance of the treasury right after the credit'),
  amount: amount('What was credited'),
  reference: reference(),
});
