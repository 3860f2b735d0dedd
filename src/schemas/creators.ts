/** Creators: status and application. */
import Joi from 'joi';
import type { AddressCommand, ApplyAsCreatorCommand } from '../usecases/commands';
import { signedFields, signedMeta } from './auth';
import { absentAsNull } from './common';
import { address, line, paragraphs } from './text';

const LONGEST_NAME = 50;
const LONGEST_STATEMENT = 1000;

export const creatorStatusQuery: Joi.ObjectSchema<AddressCommand> = Joi.object({
  address: address().required(),
});

export const applyBody: Joi.ObjectSchema<ApplyAsCreatorCommand> = Joi.object({
  ...signedFields,
  displayName: line(LONGEST_NAME).description('Shown beside the markets of this creator'),
  statement: paragraphs(LONGEST_STATEMENT).description('For the operators who judge the application'),
})
  .custom(absentAsNull('displayName', 'statement'))
  .meta(signedMeta);
