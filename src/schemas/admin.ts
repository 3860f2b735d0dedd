/** What operators send. */
import Joi from 'joi';
import type {
  DepositCommand,
  JudgeCreatorCommand,
  ListCreatorsCommand,
  ResolveMarketCommand,
  TreasuryDepositCommand,
  UpdateKeyCommand,
} from '../usecases/commands';
import { scopes } from './auth';
import { absentAsNull, marketReference, pageFields, toCommand } from './common';
import { positiveAmount } from './money';
import { address, line, paragraphs } from './text';

const LONGEST_REASON = 500;
const LONGEST_REFERENCE = 200;
const LONGEST_NOTE = 1000;
const LARGEST_RATE_LIMIT = 1_000_000;

export const listCreatorsQuery: Joi.ObjectSchema<ListCreatorsCommand> = Joi.object({
  status: Joi.string().valid('none', 'pending', 'approved', 'rejected', 'suspended'),
  ...pageFields,
}).custom(absentAsNull('status'));

const judgement = Joi.object({
  reason: line(LONGEST_REASON).required().description('Told to the creator when rejected'),
});

export const judgeBody: Joi.ObjectSchema<{ reason: string }> = judgement;
/** Rejecting and suspending; approving takes an address only. */
export const judgeInput: Joi.ObjectSchema<Pick<JudgeCreatorCommand, 'address'> & { reason: string }> =
  judgement.keys({ address: address().required() });

const depositFields = Joi.object({
  amount: positiveAmount().required().description('USD'),
  reference: line(LONGEST_REFERENCE)
    .required()
    .description('Of your own; credited once over all wallets and the treasury'),
});

/** Of a wallet, whose address is in the path, and of the treasury. */
export const depositBody: Joi.ObjectSchema<TreasuryDepositCommand> = depositFields;
export const depositInput: Joi.ObjectSchema<DepositCommand> = depositFields.keys({
  address: address().required(),
});

const resolveFields = Joi.object({
  outcome: Joi.string().valid('YES', 'NO', 'VOID').required().description('VOID pays 0.50 a share'),
  note: paragraphs(LONGEST_NOTE),
}).custom(absentAsNull('note'));

export const resolveBody: Joi.ObjectSchema<Omit<ResolveMarketCommand, 'market'>> = resolveFields;
export const resolveInput: Joi.ObjectSchema<ResolveMarketCommand> = resolveFields.keys({
  market: marketReference(),
});

type KeyChange = Omit<UpdateKeyCommand, 'id'>;

const keyChange = Joi.object({
  rateLimit: Joi.number().integer().min(1).max(LARGEST_RATE_LIMIT).description('Requests per rolling minute'),
  scopes: scopes(),
}).custom(
  toCommand(
    (change: KeyChange) => change,
    ({ rateLimit, scopes: granted }) =>
      rateLimit === undefined && granted === undefined
        ? [{ field: 'rateLimit', message: 'rateLimit or scopes is required' }]
        : [],
  ),
);

export const updateKeyBody: Joi.ObjectSchema<KeyChange> = keyChange;
export const updateKeyInput: Joi.ObjectSchema<UpdateKeyCommand> = keyChange.keys({
  id: Joi.number().integer().min(1).required(),
});
