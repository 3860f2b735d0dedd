import { challengeBody, keysQuery, signedBody, tokenBody } from '../../schemas/auth';
import { issueChallenge } from '../../usecases/keys/issue-challenge';
import { issueKey } from '../../usecases/keys/issue-key';
import { listKeys } from '../../usecases/keys/list-keys';
import { regenerateKey } from '../../usecases/keys/regenerate-key';
import { revokeKey } from '../../usecases/keys/revoke-key';
import { ownAddress } from '../own-address';
import { defineRoute, type Route } from '../route';
import { keyIdParameter } from './parameters';

const SIGNED_ERRORS = ['INVALID_NONCE', 'INVALID_SIGNATURE'] as const;

export function authRoutes(): Route[] {
  return [...issuingKeys(), ...managingKeys()];
}

function issuingKeys(): Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/auth/challenge',
      summary: 'A message for the wallet to sign',
      group: 'auth',
      body: challengeBody,
      success: { status: 200, view: 'Challenge' },
      errors: [],
      handler: ({ context, body, request }) =>
        issueChallenge(context, body, ownAddress(context.config.baseUrl, request)),
    }),
    defineRoute({
      method: 'post',
      path: '/auth/token',
      summary: 'Issue an API key',
      description: 'Shown this once: only its SHA-256 is stored. Every attempt uses the nonce up.',
      group: 'auth',
      body: tokenBody,
      success: { status: 201, view: 'IssuedKey' },
      errors: [...SIGNED_ERRORS, 'KEY_LIMIT_REACHED'],
      handler: ({ context, body }) => issueKey(context, body),
    }),
  ];
}

function managingKeys(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/auth/keys',
      summary: 'The active keys of a wallet',
      group: 'auth',
      query: keysQuery,
      success: { status: 200, view: 'KeyList' },
      errors: [],
      handler: ({ context, query }) => listKeys(context, query),
    }),
    defineRoute({
      method: 'post',
      path: '/auth/keys/:id/revoke',
      summary: 'Revoke a key',
      description: 'Holds at once: no request that arrives after the answer is let in.',
      group: 'auth',
      param: keyIdParameter,
      body: signedBody,
      success: { status: 200, view: 'RevokedKey' },
      errors: [...SIGNED_ERRORS, 'KEY_NOT_FOUND'],
      handler: ({ context, param, body }) => revokeKey(context, { ...body, id: param }),
    }),
    defineRoute({
      method: 'post',
      path: '/auth/keys/:id/regenerate',
      summary: 'Replace a key by a new one',
      description:
        'The new key has the same label, scopes and rate limit. The old one is revoked in the same step.',
      group: 'auth',
      param: keyIdParameter,
      body: signedBody,
      success: { status: 201, view: 'IssuedKey' },
      errors: [...SIGNED_ERRORS, 'KEY_NOT_FOUND'],
      handler: ({ context, param, body }) => regenerateKey(context, { ...body, id: param }),
    }),
  ];
}
