/** Row stores in a service that is asked by HTTP, with one fault each. The suite finds each fault and names it. */
import { describe, expect, it } from '@jest/globals';
import type { StoredRow } from '../../adapters/storage/memory';
import { rowStoreConformance, type RowStoreUnderTest } from '../../testing';
import { ROW_STORE_CONTRACT, type RowStoreSentence } from '../../testing/row-store-conformance/contract';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { foundBy, type Found } from './fault-table';
import { httpRowStoreWith, type HttpRowStoreFault } from './liars/http-row-stores';

function conformanceOf(fault: HttpRowStoreFault, only = '', hooks: Partial<RowStoreUnderTest> = {}) {
  const { runner, run } = recordingRunner(expect);
  // Only the checks of a silent service wait for the limit.
  const limitMs = only === SILENT || only === HALF ? 200 : 2_000;
  const create = async () => ({ ...(await httpRowStoreWith(fault, limitMs)), ...hooks });
  rowStoreConformance(runner, { create, ...(fault.waits !== undefined && { timeLimitMs: 400 }) });
  return run(only) as Promise<Recording>;
}

const rowsIn = (page: unknown): StoredRow[] => (page as { rows?: StoredRow[] } | null)?.rows ?? [];

/** The rows that a body contains as a whole. The body may be cut off. */
function rowsBeforeTheCut(body: string): StoredRow[] {
  return [...body.matchAll(/\["([^"]+)","((?:[^"\\]|\\.)*)"\]/g)].map(([, key, row]) => [
    String(key),
    JSON.parse(`"${row}"`) as string,
  ]);
}

function rowsOrNone(body: string): StoredRow[] {
  try {
    return rowsIn(JSON.parse(body));
  } catch {
    return [];
  }
}

const ERRORS = 'a row store: takes no error of its database for rows or for a write';
const NONSENSE = 'a row store: takes no answer that it cannot read for rows';
const UNCONFIRMED = 'a row store: takes no answer that it cannot read for a stored write';
const REDIRECT = 'a row store: takes no redirect for an answer, and sends nothing there';
const SILENT = 'a row store: ends every call when its database never answers';
const HALF = 'a row store: ends every call when its database stops in the middle of an answer';

const FAULTS: Found<HttpRowStoreFault, RowStoreSentence>[] = [
  ...foundBy(ERRORS, 'answered', {
    'takes HTTP 404 for an empty database': { empty: (status: number) => status === 404 },
    'takes HTTP 500 for an empty database': { empty: (status: number) => status >= 500 },
    'takes HTTP 503 for a write that is stored': { confirms: (status: number) => status === 503 },
    'rejects at HTTP 500 and more only': { confirms: (status: number) => status < 500 },
    'takes HTTP 409 for a write that it has made before': { confirms: (status: number) => status === 409 },
  }),
  ...foundBy(NONSENSE, 'answered', {
    'takes a body that it cannot read for an empty one': { rowsOf: rowsOrNone },
    'takes a body without rows for an empty one': { rowsOf: (body: string) => rowsIn(JSON.parse(body)) },
    'takes the rows before the place where a body is cut off': { rowsOf: rowsBeforeTheCut },
  }),
  ...foundBy(NONSENSE, 'answered', { 'leaves rows out that it cannot read': { skips: true } }),
  ...foundBy(UNCONFIRMED, 'answered', {
    'does not look at the answer to a write': { isStored: () => true },
    'takes every object for a stored write': { isStored: (body: string) => body.startsWith('{') },
    'takes an empty body for a stored write': {
      isStored: (body: string) => body === '' || body === '{"stored":true}',
    },
  }),
  ...foundBy(REDIRECT, 'redirect', { 'follows a redirect': { follows: true } }),
  ...foundBy(SILENT, 'ends', { 'has no time limit': { waits: 'without a limit' } }),
  ...foundBy(HALF, 'ends', { 'has a time limit that ends with the headers': { waits: 'for the body' } }),
];

describe('the row store conformance suite, for a service that is asked by HTTP', () => {
  it.each<[string, HttpRowStoreFault, string[]]>([
    ['fails the writes of the process before', {}, [ERRORS, NONSENSE, UNCONFIRMED, REDIRECT, SILENT]],
    ['refuses a second process', { locks: true }, [ERRORS, HALF]],
    ['reads a bare list', { bare: true }, [NONSENSE, UNCONFIRMED]],
  ])('passes a store that %s', async (_does, fault, tests) => {
    for (const only of tests) {
      const { reports, passed } = await conformanceOf(fault, only);
      expect(reports).toEqual(new Map());
      expect(passed).toEqual([only]);
    }
  });

  it.each(FAULTS)('tells of a store that $does', async ({ fault, test, sentence }) => {
    const { reports } = await conformanceOf(fault, test);
    expect(reports.get(test)).toContain(
      `The contract of the port RowStore is broken: “${ROW_STORE_CONTRACT.sentences[sentence]}”\nSeen: `,
    );
  });

  it.each([
    ['failWith', ERRORS],
    ['redirect', REDIRECT],
    ['silence', SILENT],
    ['garble', NONSENSE],
  ])('names a `%s` that does nothing, or that is missing', async (name, test) => {
    const idle = async (_form: unknown) => async () => undefined;
    const doesNothing = await conformanceOf({}, test, { [name]: idle });
    expect(doesNothing.reports.get(test)).toMatch(/was not checked: [^]*(does nothing|was not called)/);
    const missing = await conformanceOf({}, test, { [name]: undefined });
    expect(missing.reports.get(test)).toContain(`Give \`${name}\``);
    expect((await conformanceOf({}, test, { [name]: false })).passed).toEqual([test]);
  });
});
