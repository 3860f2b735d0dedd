/** Checks of keys and rows: which characters they may contain, and how long they may be. */
import type { StoredRow } from 'express-prediction-market/storage/memory';
import { done, later, row, type RowStoreTest } from './rows';
import type { RowStoreSuite } from './suite';

export function textTests({ test }: RowStoreSuite): void {
  test('has a row of its own for each key', ['keys', 'rows', 'kept'], keysTest);
  test('has every text as it was written', 'texts', textsTest);
  test('has a long row, and a row with a long key', 'sizes', sizesTest);
}

/** Pairs of keys that databases and drivers may take for the same, because of a collation, a length or an address. */
const SIMILAR_KEYS = [
  ['idempotency/key', 'idempotency/KEY'],
  ['slug/a', 'slug/a '],
  ['slug/b', ' slug/b'],
  ['slug/cafe', 'slug/café'],
  ['slug/é', 'slug/e\u0301'],
  ['slug/ss', 'slug/ß'],
  ['slug/a_b', 'slug/axb'],
  ['slug/w', 'slug/\uff57'],
  ['slug/wide', 'slug/wi\u200bde'],
  ['slug/\u{1f363}', 'slug/\u{1f37a}'],
  ['slug/c/d', 'slug/c%2Fd'],
  ['slug/e f', 'slug/e+f'],
  ['slug/g', 'slug/g?h#i'],
  ['slug/j', 'slug/k/../j'],
  [`slug/${'k'.repeat(300)}1`, `slug/${'k'.repeat(300)}2`],
] as const;

async function keysTest(t: RowStoreTest): Promise<void> {
  const { store, check } = t;
  await store.load();
  const keys = SIMILAR_KEYS.flat();
  await store.write(keys.map((key) => row(key, key)));
  await store.write(SIMILAR_KEYS.map(([one]) => row(one, 'newer')));
  const next = await later(t);
  // Rows that are stored late say nothing about keys.
  check.by('kept').equal(next.rows.size > 0, true, 'whether a confirmed row is there');
  for (const [one, other] of SIMILAR_KEYS) {
    check.equal(next.rows.get(one), JSON.stringify('newer'), `the row of ${JSON.stringify(one)}`);
    check.equal(next.rows.get(other), JSON.stringify(other), `the row of ${JSON.stringify(other)}`);
  }
  await next.store.write(SIMILAR_KEYS.map(([one]) => [one, null]));
  const last = await later({ ...t, store: next.store });
  const left = [...last.rows.keys()].sort();
  check.equal(
    left,
    SIMILAR_KEYS.map(([, other]) => other).sort(),
    'keys left when the first of each pair is removed',
  );
}

/** Texts that files, drivers or query languages may misread. They contain no control character. */
const TEXTS = {
  'U+2028, which ends a line for some readers': 'one\u2028two',
  'U+2029, which ends a line for some readers': 'one\u2029two',
  'an emoji (four bytes of UTF-8)': '\u{1f600}',
  'letters of several scripts': 'ß я 日本 ع',
  'U+FEFF at its start': '\ufefftext',
  'quotation marks': `it's "quoted" and \`quoted\`; --`,
  'a backslash at its end': String.raw`a\n\ `.trimEnd(),
  'signs of parameters': '$1 ? ?? :name @name %s %d %% ${name} {0}',
  'a comma and a tab stop, as in CSV': 'a,b;c|d\\t',
  'digits only': '9007199254740993',
} as const;

/** Texts of rows only. No key has a control character, and the spaces of keys have a check of their own. */
const TEXTS_OF_ROWS = {
  'U+0085, which ends a line for some readers': 'one\u0085two',
  'U+007F, a control character': 'one\u007ftwo',
  'a line break, which JSON escapes': 'one\r\ntwo\n',
  'NUL and half of a surrogate pair, which JSON escapes': 'one\u0000\ud800',
  'spaces at both ends': '  text  ',
  'a date, as a driver may read it': '2030-01-01T00:00:00.000Z',
} as const;

/** Each text has a process of its own, so that a report names the text. */
async function textsTest(t: RowStoreTest): Promise<void> {
  const { check } = t;
  const cases = [
    ...Object.entries(TEXTS).map(([what, text]) => ({ what, written: row(`deposits/${text}`, text) })),
    ...Object.entries(TEXTS_OF_ROWS).map(([what, text]) => ({ what, written: row('rounds/1:1', text) })),
  ];
  let { store } = t;
  await store.load();
  for (const { what, written } of cases) {
    const [key, text] = written;
    await done(check, `\`write\` of a row with ${what}`, store.write([written]));
    const next = await done(check, `\`load\` after a row with ${what}`, later({ ...t, store }));
    check.equal(next.rows.get(key), text, `the row with ${what}`);
    store = next.store;
  }
}

/** A row of several megabytes, as the port allows. Each character has three bytes of UTF-8. */
const LONG_TEXT = '€'.repeat(1_200_000);

async function sizesTest(t: RowStoreTest): Promise<void> {
  const { store, check } = t;
  const long = JSON.stringify(LONG_TEXT);
  const rows: [what: string, written: StoredRow][] = [
    ['a row of 3,600,002 bytes', ['rounds/1:1', long]],
    ['a row whose key has 809 bytes', row(`deposits/${'\u{1f600}'.repeat(200)}`, 'long key')],
  ];
  await store.load();
  for (const [what, written] of rows) await done(check, `\`write\` of ${what}`, store.write([written]));
  const next = await done(check, '`load` after a long row and a long key', later(t));
  for (const [what, [key, text]] of rows) {
    const found = next.rows.get(key);
    check.equal(found?.length, text?.length, `the characters of ${what}`);
    // The texts themselves would make the report unreadable.
    check.equal(found === text, true, `whether ${what} is the same as before`);
  }
}
