import Joi from 'joi';
import type { AuditView } from './audit';
import { amount, count, text, usd } from './fields.schema';

export const audit = Joi.object<AuditView, true>({
  ok: Joi.boolean().required(),
  checked: Joi.object<AuditView['checked'], true>({
    wallets: count(),
    markets: count(),
    positions: count(),
    entries: count(),
  }).required(),
  treasury: usd('What operators put in, and what the house has won or lost so far'),
  external: usd('What came from outside, negated'),
  solvency: Joi.object<AuditView['solvency'], true>({
    solvent: Joi.boolean().required().description('As of GET /treasury; withdrawals wait where not'),
    wallets: amount('Balances of all wallets'),
    reserved: amount('The part of them that is held back for withdrawals'),
    pools: usd('What the pools of all markets hold'),
    worstLosses: amount('What the house can still lose on markets that are not resolved'),
    surplus: usd('What came from outside, less wallets and pools: what the house owns'),
    worstCase: usd('surplus - worstLosses'),
  }).required(),
  differences: Joi.array()
    .items(
      Joi.object<AuditView['differences'][number], true>({
        kind: text(),
        subject: text(),
        stored: text(),
        computed: text(),
      }),
    )
    .required(),
});
