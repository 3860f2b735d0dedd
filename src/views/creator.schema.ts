import Joi from 'joi';
import { CREATOR_STATUSES } from '../domain/types';
import type { CreatorListView, CreatorStatusView, CreatorView } from './creator';
import { address, nullableInstant, nullableText, oneOf, page } from './fields.schema';

const statusFields = {
  address: address(),
  status: oneOf(CREATOR_STATUSES).description('Only an approved creator may create markets'),
  appliedAt: nullableInstant('When the wallet applied'),
  approvedAt: nullableInstant('When it was approved'),
  rejectedReason: nullableText().description('Why operators rejected the creator; null with another status'),
};

export const creatorStatus = Joi.object<CreatorStatusView, true>(statusFields);

export const creator = Joi.object<CreatorView, true>({
  ...statusFields,
  rejectedReason: nullableText().description(
    'Why operators rejected or suspended the creator; null with another status',
  ),
  displayName: nullableText().description('The name that the creator has chosen'),
  statement: nullableText().description('What the creator wrote in the application'),
});

export const creatorList = Joi.object<CreatorListView, true>({
  creators: Joi.array().items(creator).required(),
  ...page,
});
