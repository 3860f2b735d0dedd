import Joi from 'joi';
import { CHALLENGE_ACTIONS, CHALLENGE_FORMATS, SCOPES } from '../domain/types';
import type { FieldError } from '../domain/errors';
import type {
  AddressCommand,
  IssueChallengeCommand,
  IssueKeyCommand,
  ManageKeyCommand,
  SignedCommand,
} from '../usecases/commands';
import type { AddressInput, ChallengeInput, IssueKeyInput, ManageKeyInput, SignedInput } from '../inputs';
import { oneOf, possibleRowId } from './common';
import { inputSchema } from './input';
import type { Rules } from './rules';
import type { IncompleteMeta } from './parse';
import { address, line } from './text';

/** Clients recognise this refusal by its text, so the text must not change. */
export const SIGNED_FIELDS_REQUIRED = 'address, signature, message, and nonce are required';
const LONGEST_LABEL = 100;

export const signedFields: Rules<SignedInput> = {
  address: address().required(),
  message: Joi.string().required().description('The message of the challenge as it was given'),
  // The use case refuses a malformed signature like a wrong one, with 401.
  signature: Joi.string().required().description('EIP-191 signature of the message: 65 bytes in 0x-hex'),
  nonce: Joi.string().required().description('Nonce of the challenge; every attempt uses it up'),
};

export const signedMeta: { incomplete: IncompleteMeta } = {
  incomplete: { fields: Object.keys(signedFields), message: SIGNED_FIELDS_REQUIRED },
};

export const scopes = (): Joi.ArraySchema =>
  Joi.array()
    .items(oneOf(SCOPES))
    .min(1)
    .max(SCOPES.length)
    .unique()
    // A long list of wrong scopes is refused at the first wrong scope.
    .prefs({ abortEarly: true });

export const signedBody = inputSchema<SignedInput, SignedCommand>(signedFields, {}).meta(signedMeta);

export const tokenBody = inputSchema<IssueKeyInput, IssueKeyCommand>(
  {
    ...signedFields,
    label: line(LONGEST_LABEL).description('A name of your choice. The list of your keys shows it'),
    scopes: scopes().description('What the key may do; all scopes when left out'),
  },
  { label: null, scopes: null },
).meta(signedMeta);

/** A typed method names the key in its argument. HTTP names the key in the path. */
export const manageKeyInput = inputSchema<ManageKeyInput, ManageKeyCommand>(
  { ...signedFields, id: keyId().required() },
  {},
).meta(signedMeta);

/** The id of a key. An id that no key can have becomes `null`, and the signed call is then refused with 404. */
function keyId(): Joi.NumberSchema {
  return Joi.number().unsafe().custom(possibleRowId);
}

function keyIdMismatch({ action, keyId: id }: Partial<IssueChallengeCommand>): FieldError[] {
  const needsKey = action === 'revoke' || action === 'regenerate';
  if (needsKey === (id !== undefined)) return [];
  const message = needsKey ? `keyId is required for ${action}` : 'keyId is for revoke and regenerate only';
  return [{ field: 'keyId', message }];
}

export const challengeBody = inputSchema<ChallengeInput, IssueChallengeCommand>(
  {
    address: address().required(),
    action: oneOf(CHALLENGE_ACTIONS).required().description('What the signature is for'),
    keyId: keyId().description('Id of the key; for revoke and regenerate'),
    format: oneOf(CHALLENGE_FORMATS).default('text').description('siwe: an EIP-4361 message'),
  },
  { keyId: null },
  keyIdMismatch,
);

export const keysQuery = inputSchema<AddressInput, AddressCommand>({ address: address().required() }, {});
export const addressInput = keysQuery;
