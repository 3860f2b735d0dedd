import type {
  ConsumerInput,
  ConsumerView,
  ListParkedFactsInput,
  ParkedFactView,
  RedoParkedFactsInput,
  ResumeConsumerInput,
  SkipParkedFactInput,
} from 'express-prediction-market';
import { operatorCommand, type OperatorGroup } from '../operator-command';
import { argument, choice, integer, option, PAGE } from '../operator-fields';

type Start = NonNullable<ResumeConsumerInput['from']>;

const NAME = argument('the name of the consumer');

export const CONSUMERS: OperatorGroup = {
  name: 'consumers',
  description: 'list the consumers of facts, and help one that does not go on',
  commands: [
    operatorCommand({
      name: 'list',
      description: 'list the consumers by name: how far they are, and what is wrong',
      route: 'GET /consumers',
      field: 'consumers',
      onDatabase: (market) => market.consumers(),
      fields: {},
      lines: ({ consumers }) => (consumers.length === 0 ? ['no consumers'] : consumers.map(describe)),
    }),
    operatorCommand({
      name: 'resume',
      description: 'go on from another position: forward, facts are left out; back, they are handled again',
      route: 'POST /consumers/{name}/resume',
      field: 'position',
      onDatabase: (market, { name, ...input }: ResumeConsumerInput, by) =>
        market.resumeConsumer(name, input, by),
      fields: {
        name: NAME,
        from: choice<Start>('the oldest stored fact, or the first new one', { oldest: 0, now: 0 }, 'start'),
        seq: integer('the number of the first fact to be handled'),
      },
      needsOption: true,
      lines: (consumer) => [describe(consumer)],
    }),
    operatorCommand({
      name: 'remove',
      description: 'remove a consumer that is no longer used, with its parked facts',
      route: 'DELETE /consumers/{name}',
      field: 'removed',
      onDatabase: (market, { name }: ConsumerInput, by) => market.removeConsumer(name, by),
      fields: { name: NAME },
      lines: ({ name }) => [`removed consumer ${name}`],
    }),
    operatorCommand({
      name: 'parked',
      description: 'list the facts that were put aside, the lowest number first',
      route: 'GET /consumers/{name}/parked',
      field: 'parked',
      onDatabase: (market, { name, ...page }: ListParkedFactsInput) => market.listParkedFacts(name, page),
      fields: { name: NAME, ...PAGE },
      lines: ({ parked, total }) => [...parked.map(describeParked), `${parked.length} of ${total}`],
    }),
    operatorCommand({
      name: 'redo',
      description: 'have the handler try one parked fact, or all, once more',
      route: 'POST /consumers/{name}/redo',
      field: 'position',
      onDatabase: (market, { name, ...input }: RedoParkedFactsInput, by) =>
        market.redoParkedFacts(name, input, by),
      fields: { name: NAME, fact: option('the id of a parked fact (default: all)', 'id') },
      lines: (consumer) => [describe(consumer)],
    }),
    operatorCommand({
      name: 'skip',
      description: 'remove a parked fact without another attempt',
      route: 'POST /consumers/{name}/skip',
      field: 'position',
      onDatabase: (market, { name, ...input }: SkipParkedFactInput, by) =>
        market.skipParkedFact(name, input, by),
      fields: { name: NAME, fact: argument('the id of the parked fact') },
      lines: (consumer) => [describe(consumer)],
    }),
  ],
};

function describe({ name, status, reason, position, behind, parked, lastError }: ConsumerView): string {
  const why = reason === null ? '' : `: ${reason}`;
  const error = lastError === null ? '' : `  ${lastError}`;
  const where = `at ${position.epoch}:${position.seq}, ${behind} facts behind, ${parked} parked`;
  return `${name}  ${status}${why}  ${where}${error}`;
}

function describeParked({ id, kind, failures, redo, error, parkedAt }: ParkedFactView): string {
  const again = redo ? 'is tried once more' : `${failures} failed attempts`;
  return `${id}  ${kind}  parked ${parkedAt}  ${again}  ${error}`;
}
