/** Many people can read the log of a build, so no report of a suite contains a secret. */
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { oracleConformance } from '../../testing';
import { maskedError, maskedText } from '../../testing/conformance/mask';
import * as careless from './liars/careless-oracles';
import * as liars from './liars/oracles';

const AWAY = 'rejects without its sources, and recovers';
const KEY = 'sk-live-0123456789';

describe('the report of a suite', () => {
  it.each([
    ['a secret', `401 for ${KEY}`, '401 for sk-l… (a secret of 18 characters)'],
    [
      'a secret in base64',
      `401 for Basic ${Buffer.from(`user:${KEY}`).toString('base64')}`,
      '401 for Basic dXNl… (a secret of 32 characters)',
    ],
    ['the password of an address', 'postgres://me:open@db/x is away', 'postgres://me:…@db/x is away'],
    [
      'a secret in an address',
      'https://x/?key=a%2Fkey%2Fof%2Fmine',
      'https://x/?key=a%2F… (a secret of 19 characters)',
    ],
    ['a secret that was cut off', 'for sk-live-01234…', 'for sk-l… (a secret of 18 characters)…'],
    ['no secret', 'nothing to hide', 'nothing to hide'],
  ])('hides %s', (_what, text, shown) => {
    expect(maskedText(text, [KEY, 'a/key/of/mine'])).toBe(shown);
  });

  it('shows little of a short secret', () => {
    expect(maskedText('the pin is 1234', ['1234'])).toBe('the pin is 1… (a secret of 4 characters)');
  });

  it('hides a secret that stands in the causes of an error, and in their fields', () => {
    const cause = Object.assign(new Error('401'), { config: { headers: { Authorization: KEY } } });
    const outer = new Error('no answer', { cause: new Error(`for ${KEY}`, { cause }) });
    const masked = inspect(maskedError(outer, [KEY]), { depth: 10 });
    expect(masked).not.toContain(KEY);
    expect(masked).toContain('for sk-l… (a secret of 18 characters)');
  });

  it.each([
    ['a message of several lines', careless.tellsItsKeyInLines],
    ['something else than an error', careless.rejectsWithItsKey],
    ['a failure that the suite did not expect', careless.tellsItsKeyTooOften],
  ])('tells no secret of an oracle that rejects with %s', async (_what, fault) => {
    const reports: string[] = [];
    const bodies: (() => Promise<void>)[] = [];
    oracleConformance(
      {
        describe: (_name, body) => body(),
        it: (name, body) => void (name === AWAY && bodies.push(body)),
        expect,
      },
      { create: async () => liars.oracleWith(fault) },
    );
    for (const body of bodies) await body().catch((error: unknown) => reports.push(inspect(error)));
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.filter((report) => report.includes(liars.SECRET))).toEqual([]);
    expect(reports.join('\n')).toContain('sk-o… (a secret of 14 characters)');
  });
});
