import Joi from 'joi';
import type { AccountView, BalanceView, DepositView } from './account';
import { address, amount, instant, reference } from './fields.schema';

export const balanceFigures = {
  balance: amount('Money of the wallet'),
  reserved: amount('The part held back for withdrawals'),
  available: amount('balance - reserved'),
};

const accountFields = { address: address(), ...balanceFigures };

export const account = Joi.object<AccountView, true>(accountFields);

export const balance = Joi.object<BalanceView, true>({
  ...accountFields,
  currency: Joi.string().valid('USDC').required(),
  positionsValue: amount('Net proceeds of selling every open position now'),
  updatedAt: instant('When the balance last changed'),
});

export const deposit = Joi.object<DepositView, true>({
  ...accountFields,
  amount: amount('What was credited'),
  reference: reference(),
});
