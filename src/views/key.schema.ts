import Joi from 'joi';
import { count, id, instant, nullableInstant, nullableText, scopes, text } from './fields.schema';
import type { ChallengeView, IssuedKeyView, KeyListView, KeyView, LimitsView, RevokedKeyView } from './key';

const keyId = (): Joi.NumberSchema => id('The number of the key');
const prefix = (): Joi.StringSchema => text().description('The beginning of the raw key, to recognise it');

const keyFields = {
  id: keyId(),
  prefix: prefix().example('pmk_AbCd…'),
  label: nullableText().description('The name that the wallet has given the key'),
  rateLimit: count('Requests per rolling minute'),
  scopes: scopes(),
  createdAt: instant('When the key was issued'),
};

export const challenge = Joi.object<ChallengeView, true>({
  nonce: Joi.string()
    .pattern(/^[0-9a-f]{48}$/)
    .required()
    .description('To be sent with the signature; one attempt uses it up'),
  message: text().description('To be signed as it stands with personal_sign (EIP-191)'),
  expiresAt: instant('When the nonce expires'),
});

export const issuedKey = Joi.object<IssuedKeyView, true>({
  ...keyFields,
  apiKey: Joi.string()
    .pattern(/^pmk_[0-9A-Za-z]{36}$/)
    .required()
    .description('The raw key. Shown this once.'),
  note: text().description('A sentence for people about the raw key'),
});

export const key = Joi.object<KeyView, true>({
  ...keyFields,
  lastUsedAt: nullableInstant('When it was last used'),
});

export const keyList = Joi.object<KeyListView, true>({ keys: Joi.array().items(key).required() });

export const revokedKey = Joi.object<RevokedKeyView, true>({
  id: keyId(),
  prefix: prefix(),
  revokedAt: instant('When the key was revoked'),
});

export const limits = Joi.object<LimitsView, true>({
  limit: count('Requests per rolling minute'),
  remaining: count('How many more requests the key may make now'),
  resetAt: instant('When the oldest counted request leaves the window'),
  scopes: scopes(),
});
