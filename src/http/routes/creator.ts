import { applyBody, creatorStatusQuery } from '../../schemas/creators';
import { applyAsCreator } from '../../usecases/creators/apply-as-creator';
import { creatorStatus } from '../../usecases/creators/creator-status';
import { defineRoute, type Route } from '../route';

export function creatorRoutes(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/creator/status',
      summary: 'Whether a wallet may create markets',
      group: 'creator',
      query: creatorStatusQuery,
      success: { status: 200, view: 'CreatorStatus' },
      errors: [],
      handler: ({ context, query }) => creatorStatus(context, query),
    }),
    defineRoute({
      method: 'post',
      path: '/creator/apply',
      summary: 'Ask for approval as a creator',
      description: 'Signed like a key request, with the challenge action `apply`.',
      group: 'creator',
      body: applyBody,
      success: { status: 200, view: 'CreatorStatus' },
      errors: ['INVALID_NONCE', 'INVALID_SIGNATURE'],
      handler: ({ context, body }) => applyAsCreator(context, body),
    }),
  ];
}
