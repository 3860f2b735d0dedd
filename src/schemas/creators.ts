import type { AddressInput, ApplyAsCreatorInput } from '../inputs';
import type { AddressCommand, ApplyAsCreatorCommand } from '../usecases/commands';
import { signedFields, signedMeta } from './auth';
import { inputSchema } from './input';
import { address, line, paragraphs } from './text';

const LONGEST_NAME = 50;
const LONGEST_STATEMENT = 1000;

export const creatorStatusQuery = inputSchema<AddressInput, AddressCommand>(
  { address: address().required() },
  {},
);

export const applyBody = inputSchema<ApplyAsCreatorInput, ApplyAsCreatorCommand>(
  {
    ...signedFields,
    displayName: line(LONGEST_NAME).description('Shown beside the markets of this creator'),
    statement: paragraphs(LONGEST_STATEMENT).description(
      'For the operators who decide about the application',
    ),
  },
  { displayName: null, statement: null },
).meta(signedMeta);
