/** The schemas of operators' requests, except those about payments, withdrawals, consumers and webhooks. */
import Joi from 'joi';
import type { FieldError } from '../domain/errors';
import { LONGEST_OPERATOR_NAME, OPERATOR_ACTIONS } from '../domain/operator-acts';
import { sourceOfDeposit } from '../domain/paid-deposits';
import { OPEN_RESOLUTION_STATUSES } from '../domain/oracle/resolution-state';
import { CREATOR_STATUSES, MARKET_STATUSES, OUTCOMES } from '../domain/types';
import type {
  ActingOperator,
  DepositInput,
  DecideCreatorInput,
  KeyInput,
  ListCreatorsInput,
  ListMarketsAsOperatorInput,
  ListOperatorLogInput,
  ListResolutionsInput,
  ResolveMarketInput,
  TreasuryDepositInput,
  UpdateKeyInput,
} from '../operator-inputs';
import { MARKET_SORTS } from '../ports/storage/markets';
import type {
  DepositCommand,
  DecideCreatorCommand,
  KeyCommand,
  ListCreatorsCommand,
  ListMarketsAsOperatorCommand,
  ListOperatorLogCommand,
  ListResolutionsCommand,
  ResolveMarketCommand,
  TreasuryDepositCommand,
  UpdateKeyCommand,
} from '../usecases/commands';
import { scopes } from './auth';
import { LONGEST_REASON, marketReference, oneOf, pageFields } from './common';
import { inputSchema } from './input';
import type { Rules } from './rules';
import { positiveAmount } from './money';
import { address, hasBlankEnd, instant, line, paragraphs } from './text';

const LONGEST_REFERENCE = 200;
const LONGEST_NOTE = 1000;
const LONGEST_TARGET = 200;
const LARGEST_RATE_LIMIT = 1_000_000;

export const listCreatorsQuery = inputSchema<ListCreatorsInput, ListCreatorsCommand>(
  {
    status: oneOf(CREATOR_STATUSES).description('All statuses when left out'),
    ...pageFields,
  },
  { status: null },
);

type Reason = Pick<DecideCreatorInput, 'reason'>;

const reasonRules: Rules<Reason> = {
  reason: line(LONGEST_REASON).required().description('A rejected creator sees it'),
};

export const decideCreatorBody = inputSchema<Reason, Reason>(reasonRules, {});
/** The input for rejecting and suspending a creator. A route takes the address from its path. */
export const decideCreatorInput = inputSchema<
  DecideCreatorInput,
  Pick<DecideCreatorCommand, 'address'> & Reason
>({ ...reasonRules, address: address().required() }, {});

const OF_PAYMENT = {
  custom: '{{#label}} must not begin as the reference of a deposit that a payment over x402 pays for',
};
const BLANK_END = { custom: '{{#label}} must not begin or end with a blank' };

/**
 * Refuses a reference that begins or ends with a blank. The reference could look like an earlier one and would credit
 * the money again.
 */
function refuseBlankEnd(value: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport {
  return hasBlankEnd(value) ? helpers.message(BLANK_END) : value;
}

/**
 * Refuses a reference in the form of `paidDepositReference`, because the paid deposit with this reference could then
 * not be credited.
 */
function refuseReferenceOfPayment(value: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport {
  return sourceOfDeposit(value) === 'payment' ? helpers.message(OF_PAYMENT) : value;
}

const depositFields: Rules<TreasuryDepositInput> = {
  amount: positiveAmount().required().description('USD'),
  reference: line(LONGEST_REFERENCE)
    .custom(refuseBlankEnd)
    .custom(refuseReferenceOfPayment)
    .required()
    .description('Your own text for this deposit; credited once over all wallets and the treasury'),
};

/** The body for a deposit to the treasury, or to a wallet whose address is in the path. */
export const depositBody = inputSchema<TreasuryDepositInput, TreasuryDepositCommand>(depositFields, {});
export const depositInput = inputSchema<DepositInput, DepositCommand>(
  { ...depositFields, address: address().required() },
  {},
);

const resolveFields: Rules<Omit<ResolveMarketInput, 'market'>> = {
  outcome: oneOf(OUTCOMES).required().description('VOID pays 0.50 a share'),
  note: paragraphs(LONGEST_NOTE).description('Why the operator decided so; the public resolution shows it'),
};

export const resolveBody = inputSchema<
  Omit<ResolveMarketInput, 'market'>,
  Omit<ResolveMarketCommand, 'market'>
>(resolveFields, { note: null });
export const resolveInput = inputSchema<ResolveMarketInput, ResolveMarketCommand>(
  { ...resolveFields, market: marketReference() },
  { note: null },
);

export const listMarketsAsOperatorQuery = inputSchema<
  ListMarketsAsOperatorInput,
  ListMarketsAsOperatorCommand
>(
  {
    status: oneOf(MARKET_STATUSES).description('All statuses when left out'),
    progress: oneOf(OPEN_RESOLUTION_STATUSES).description(
      'Only closed markets whose resolution has this state, by market id; not with `sort`, nor with another `status` than `resolving`',
    ),
    sort: oneOf(MARKET_SORTS).description('`resolve_asc` when left out'),
    ...pageFields,
  },
  { status: null, progress: null, sort: null },
  progressAlone,
);

/** `progress` selects `resolving` markets in the order of their ids, so `sort` and another `status` are refused. */
function progressAlone({ progress, status, sort }: Partial<ListMarketsAsOperatorCommand>): FieldError[] {
  if (progress === undefined) return [];
  const errors: FieldError[] = [];
  if (sort !== undefined) errors.push({ field: 'sort', message: 'sort cannot be given with progress' });
  if (status !== undefined && status !== 'resolving')
    errors.push({ field: 'status', message: 'status must be resolving or left out with progress' });
  return errors;
}

export const listOperatorLogQuery = inputSchema<ListOperatorLogInput, ListOperatorLogCommand>(
  {
    operator: line(LONGEST_OPERATOR_NAME).description('Only acts of this operator'),
    action: oneOf(OPERATOR_ACTIONS).description('All actions when left out'),
    target: line(LONGEST_TARGET).description('Only acts on this wallet, id or name'),
    since: instant().description('Inclusive; ISO 8601 with an offset'),
    until: instant().description('Exclusive; ISO 8601 with an offset'),
    ...pageFields,
  },
  { operator: null, action: null, target: null, since: null, until: null },
);

/** The second argument of methods by which operators change something. */
export const actingOperator = inputSchema<ActingOperator, { operator: string | null }>(
  { operator: line(LONGEST_OPERATOR_NAME) },
  { operator: null },
);

export const listResolutionsQuery = inputSchema<ListResolutionsInput, ListResolutionsCommand>(
  {
    status: oneOf(OPEN_RESOLUTION_STATUSES).description('All of these when left out'),
    ...pageFields,
  },
  { status: null },
);

type KeyChange = Omit<UpdateKeyCommand, 'id'>;

const keyChange: Rules<Omit<UpdateKeyInput, 'id'>> = {
  rateLimit: Joi.number().integer().min(1).max(LARGEST_RATE_LIMIT).description('Requests per rolling minute'),
  scopes: scopes().description('What the key may do from now on'),
};

function nothingToChange({ rateLimit, scopes: granted }: KeyChange): FieldError[] {
  if (rateLimit !== undefined || granted !== undefined) return [];
  return [{ field: 'rateLimit', message: 'rateLimit or scopes is required' }];
}

const keyId: Rules<KeyInput> = { id: Joi.number().integer().min(1).required() };

export const updateKeyBody = inputSchema<Omit<UpdateKeyInput, 'id'>, KeyChange>(
  keyChange,
  {},
  nothingToChange,
);
export const keyInput = inputSchema<KeyInput, KeyCommand>(keyId, {});
export const updateKeyInput = inputSchema<UpdateKeyInput, UpdateKeyCommand>(
  { ...keyChange, ...keyId },
  {},
  nothingToChange,
);
