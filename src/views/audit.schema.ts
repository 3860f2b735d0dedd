import Joi from 'joi';
import type { AuditView } from './audit';
import { amount, count, flag, text, usd } from './fields.schema';

export const audit = Joi.object<AuditView, true>({
  ok: flag('Whether all books agree: there is no difference'),
  checked: Joi.object<AuditView['checked'], true>({
    wallets: count('How many wallets were checked'),
    markets: count('How many markets were checked'),
    positions: count('How many positions were checked'),
    entries: count('How many entries of the ledger were checked'),
  }).required(),
  treasury: usd('What operators put in, and what the house has won or lost so far'),
  external: usd('The money that went out less the money that came in'),
  solvency: Joi.object<AuditView['solvency'], true>({
    solvent: flag('Whether the house is solvent, as GET /treasury says; while false, withdrawals wait'),
    wallets: amount('Balances of all wallets'),
    reserved: amount('The part of these balances that is held back for withdrawals'),
    pools: usd('What the pools of all markets hold'),
    worstLosses: amount('What the house can still lose on markets that are not resolved'),
    surplus: usd('What came from outside, less wallets and pools: what the house owns'),
    worstCase: usd('surplus - worstLosses'),
  }).required(),
  differences: Joi.array()
    .items(
      Joi.object<AuditView['differences'][number], true>({
        kind: text().description('What differs'),
        subject: text().description('Where it differs, such as an account or a market'),
        stored: text().description('The stored figure'),
        computed: text().description('The figure that follows from entries and trades'),
      }),
    )
    .required(),
});
