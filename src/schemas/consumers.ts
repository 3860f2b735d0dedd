import Joi from 'joi';
import type { FieldError } from '../domain/errors';
import type { PageInput } from '../inputs';
import type {
  ConsumerInput,
  ListParkedFactsInput,
  RedoParkedFactsInput,
  ResumeConsumerInput,
  SkipParkedFactInput,
} from '../operator-inputs';
import type {
  ConsumerCommand,
  ListParkedFactsCommand,
  PageCommand,
  RedoParkedFactsCommand,
  ResumeConsumerCommand,
  SkipParkedFactCommand,
} from '../usecases/commands';
import { oneOf, pageFields } from './common';
import { inputSchema } from './input';
import type { Rules } from './rules';
import { line } from './text';

const LONGEST_NAME = 64;
const LONGEST_FACT = 200;

/** This rule accepts some names that no consumer can have. The use case refuses them with 404. */
const name = line(LONGEST_NAME).required();
const factId = () =>
  line(LONGEST_FACT)
    .pattern(/^[^:]+:[1-9]\d*$/)
    .messages({ 'string.pattern.base': '{{#label}} must be the id of a parked fact' })
    .description('`id` of a parked fact');

type WithoutName<Input> = Omit<Input, 'name'>;

const resumeFields: Rules<WithoutName<ResumeConsumerInput>> = {
  from: oneOf(['now', 'oldest']).description('oldest: the oldest fact that is stored. Or give seq'),
  seq: Joi.number().integer().min(1).description('Number of the first fact to be handled'),
};

function onePosition({ from, seq }: Partial<WithoutName<ResumeConsumerCommand>>): FieldError[] {
  const given = [from, seq].filter((value) => value !== undefined && value !== null);
  return given.length === 1 ? [] : [{ field: 'from', message: 'either from or seq is required' }];
}

export const parkedFactsQuery = inputSchema<PageInput, PageCommand>(pageFields, {});
export const listParkedFactsInput = inputSchema<ListParkedFactsInput, ListParkedFactsCommand>(
  { ...pageFields, name },
  {},
);
export const resumeBody = inputSchema<WithoutName<ResumeConsumerInput>, WithoutName<ResumeConsumerCommand>>(
  resumeFields,
  { from: null, seq: null },
  onePosition,
);
export const resumeInput = inputSchema<ResumeConsumerInput, ResumeConsumerCommand>(
  { ...resumeFields, name },
  { from: null, seq: null },
  onePosition,
);
export const redoBody = inputSchema<WithoutName<RedoParkedFactsInput>, WithoutName<RedoParkedFactsCommand>>(
  { fact: factId().description('`id` of one parked fact; all when left out') },
  { fact: null },
);
export const redoInput = inputSchema<RedoParkedFactsInput, RedoParkedFactsCommand>(
  { fact: factId(), name },
  { fact: null },
);
export const skipBody = inputSchema<WithoutName<SkipParkedFactInput>, WithoutName<SkipParkedFactCommand>>(
  { fact: factId().required() },
  {},
);
export const skipInput = inputSchema<SkipParkedFactInput, SkipParkedFactCommand>(
  { fact: factId().required(), name },
  {},
);
export const consumerInput = inputSchema<ConsumerInput, ConsumerCommand>({ name }, {});
