import type { Request } from 'express';
import Joi from 'joi';
import { queryReader } from '../../src/http/query-reader';

describe('queryReader', () => {
  let read: number;
  let queryOf: (search: string) => unknown;
  beforeEach(() => {
    read = 0;
    const count = (value: unknown): unknown => {
      read += 1;
      return value;
    };
    const schema = Joi.object({ limit: Joi.number().integer().max(100), q: Joi.string() }).custom(count);
    const reader = queryReader(schema);
    queryOf = (search) => reader({ url: `/markets${search}` } as Request);
  });

  it('reads equal queries once', () => {
    expect(queryOf('?limit=5&q=rain')).toEqual({ limit: 5, q: 'rain' });
    expect(queryOf('?limit=5&q=rain')).toEqual({ limit: 5, q: 'rain' });
    expect(queryOf('?limit=6&q=rain')).toEqual({ limit: 6, q: 'rain' });
    expect(queryOf('')).toEqual({});
    expect(read).toBe(3);
  });

  it('refuses a wrong query each time', () => {
    for (let time = 0; time < 3; time += 1)
      expect(() => queryOf('?limit=101')).toThrow(
        expect.objectContaining({ code: 'VALIDATION_ERROR' }) as Error,
      );
  });

  it('lets no request change what others get', () => {
    const first = queryOf('?limit=5') as { limit: number };
    expect(() => {
      first.limit = 6;
    }).toThrow(TypeError);
    expect(queryOf('?limit=5')).toEqual({ limit: 5 });
  });

  it('keeps a bounded number of short queries', () => {
    for (let limit = 1; limit <= 65; limit += 1) queryOf(`?limit=${limit}`);
    queryOf('?limit=65');
    expect(read).toBe(65);
    queryOf('?limit=1');
    expect(read).toBe(66);
    const long = `?q=${'x'.repeat(300)}`;
    queryOf(long);
    queryOf(long);
    expect(read).toBe(68);
  });
});
