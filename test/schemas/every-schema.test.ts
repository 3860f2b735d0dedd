import type Joi from 'joi';
import { CATEGORIES } from '../../src/domain/types';
import * as accounts from '../../src/schemas/account';
import * as admin from '../../src/schemas/admin';
import * as auth from '../../src/schemas/auth';
import * as creators from '../../src/schemas/creators';
import * as markets from '../../src/schemas/markets';
import { parseBody } from '../../src/schemas/parse';
import * as trades from '../../src/schemas/trades';
import { errorsOf, fieldsOf } from './support';

function commandOrErrors(schema: Joi.ObjectSchema<object>, raw: unknown): unknown {
  try {
    return parseBody<object>(schema, raw);
  } catch {
    return errorsOf(() => parseBody<object>(schema, raw));
  }
}

describe('every schema', () => {
  const all = Object.entries({ ...accounts, ...admin, ...auth, ...creators, ...markets, ...trades }).filter(
    (entry): entry is [string, Joi.ObjectSchema<object>] =>
      typeof entry[1] === 'object' && '~standard' in entry[1] && entry[1].type === 'object',
  );

  it.each(all)('%s converts to JSON Schema, in the form that callers send', (_name, schema) => {
    const converted = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    expect(converted).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.stringify(converted)).not.toContain('null');
  });

  it.each(all)('%s refuses what is no object', (_name, schema) => {
    for (const raw of [null, undefined, [], 'text', 5, true]) {
      expect(errorsOf(() => parseBody<object>(schema, raw))).toEqual([
        { field: 'body', message: 'The body must be a JSON object' },
      ]);
    }
  });

  it.each(all)('%s takes a field that is undefined for an absent field', (_name, schema) => {
    const { properties } = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
    const nothing = Object.fromEntries(Object.keys(properties as object).map((name) => [name, undefined]));
    expect(commandOrErrors(schema, nothing)).toEqual(commandOrErrors(schema, {}));
  });

  it.each(all)('%s refuses keys that it does not know', (_name, schema) => {
    const hostile = JSON.parse(
      '{"__proto__":{"limit":5},"constructor":1,"toString":2,"x\\ud800":3}',
    ) as object;
    const fields = fieldsOf(() => parseBody<object>(schema, hostile));
    expect(fields).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'toString', 'x\ufffd']));
  });
});

it('the schemas say in JSON Schema what an OpenAPI reader wants to know', () => {
  const converted = markets.createMarketBody['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  expect(converted).toMatchObject({
    required: ['category', 'question', 'resolutionCriteria', 'resolveDate'],
    properties: {
      question: { type: 'string', maxLength: 280 },
      resolveDate: { type: 'string', format: 'date-time' },
      category: { enum: [...CATEGORIES] },
    },
  });
  expect(trades.tradeBody['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toMatchObject({
    properties: { amount: { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000_000 } },
  });
});

it('the answer to a hostile body is brief', () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => [`key${index}`, 1]);
  const long = 'x'.repeat(10_000);
  const errors = errorsOf(() => parseBody(trades.tradeBody, Object.fromEntries(keys)));
  expect(errors.length).toBeLessThanOrEqual(20);
  const [error] = errorsOf(() => parseBody(trades.tradeBody, { [long]: 1, side: 'YES', amount: 1 }));
  expect(error?.field.length).toBeLessThanOrEqual(65);
});
