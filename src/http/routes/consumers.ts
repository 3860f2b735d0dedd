import { parkedFactsQuery, redoBody, resumeBody, skipBody } from '../../schemas/consumers';
import { redoParkedFacts, skipParkedFact } from '../../usecases/consumers/decide-parked';
import { listConsumers, listParkedFacts } from '../../usecases/consumers/list-consumers';
import { removeConsumer } from '../../usecases/consumers/remove-consumer';
import { resumeConsumer } from '../../usecases/consumers/resume-consumer';
import { defineRoute, type Route } from '../route';
import { consumerNameParameter } from './parameters';

const ONE = { group: 'admin', param: consumerNameParameter } as const;

export function consumerRoutes(): Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/consumers',
      summary: 'Consumers of facts by name: how far they are, and what is wrong',
      group: 'admin',
      success: { status: 200, view: 'ConsumerList' },
      errors: [],
      handler: ({ context }) => listConsumers(context),
    }),
    defineRoute({
      ...ONE,
      method: 'delete',
      path: '/consumers/:name',
      summary: 'Remove a consumer that is no longer used, with its parked facts',
      success: { status: 200, view: 'RemovedConsumer' },
      errors: ['NOT_FOUND', 'CONSUMER_IN_USE'],
      handler: ({ context, param }) => removeConsumer(context, { name: param }),
    }),
    defineRoute({
      ...ONE,
      method: 'post',
      path: '/consumers/:name/resume',
      summary: 'Go on from another position',
      description: 'Forward, facts are left out. Back, facts are handled once more.',
      body: resumeBody,
      success: { status: 200, view: 'Consumer' },
      errors: ['NOT_FOUND', 'FACTS_REMOVED'],
      handler: ({ context, param, body }) => resumeConsumer(context, { ...body, name: param }),
    }),
    ...parkedFactRoutes(),
  ];
}

function parkedFactRoutes(): Route[] {
  return [
    defineRoute({
      ...ONE,
      method: 'get',
      path: '/consumers/:name/parked',
      summary: 'Facts that were put aside, the lowest number first',
      query: parkedFactsQuery,
      success: { status: 200, view: 'ParkedFactList' },
      errors: ['NOT_FOUND'],
      handler: ({ context, param, query }) => listParkedFacts(context, { ...query, name: param }),
    }),
    defineRoute({
      ...ONE,
      method: 'post',
      path: '/consumers/:name/redo',
      summary: 'Try one parked fact, or all, once more',
      body: redoBody,
      success: { status: 200, view: 'Consumer' },
      errors: ['NOT_FOUND'],
      handler: ({ context, param, body }) => redoParkedFacts(context, { ...body, name: param }),
    }),
    defineRoute({
      ...ONE,
      method: 'post',
      path: '/consumers/:name/skip',
      summary: 'Take a parked fact out, so that its handler does not get it',
      body: skipBody,
      success: { status: 200, view: 'Consumer' },
      errors: ['NOT_FOUND'],
      handler: ({ context, param, body }) => skipParkedFact(context, { ...body, name: param }),
    }),
  ];
}
