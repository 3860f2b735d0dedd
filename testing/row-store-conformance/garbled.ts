/** Databases that answer nonsense. A store must take nonsense neither for rows nor for the confirmation of a write. */
import type { RowStore } from 'express-prediction-market/storage/memory';
import {
  fieldsOf,
  NONSENSE,
  normal,
  spoiler,
  valueAt,
  type Nonsense,
  type Path,
  type Spoil,
} from '../conformance/nonsense';
import { loaded, row, settles, type RowStoreTest } from './rows';
import { isComplete, MARK, outcomeOf, ROWS } from './services';
import type { RowStoreSuite } from './suite';

export function garbledTests({ test }: RowStoreSuite): void {
  test('takes no answer that it cannot read for rows', ['answered', 'rows'], nonsenseTest);
  test('takes no answer that it cannot read for a stored write', ['answered', 'kept'], writeTest);
}

const WHAT = 'makes the database answer `nonsense(body)` in place of each body';

/** A field of the answer gets one of these values. `undefined`: the field is left out. */
const WRONG_VALUES: readonly unknown[] = ['ab', null, {}, undefined];
const MOST_FIELDS = 12;

/** Only bodies with rows become nonsense, so that no earlier answer, such as about the owner, stops the `load`. */
async function nonsenseTest(t: RowStoreTest): Promise<void> {
  const { garble, store, check } = t;
  if (!check.given('garble', garble, WHAT)) return;
  let owner: RowStore = store;

  /** What `load` of a later process returns while the database answers nonsense, and the bodies of the database. */
  async function loadedWith(nonsense: Nonsense, next: RowStore) {
    const bodies: string[] = [];
    const end = await (garble as NonNullable<typeof garble & object>)((body) => {
      bodies.push(body);
      return nonsense(body);
    });
    const rows = await loaded(next);
    await end();
    return { rows, bodies };
  }

  async function checkNonsense(label: string, nonsense: Nonsense): Promise<void> {
    await owner.close().catch(() => undefined);
    owner = await t.another();
    const { rows } = await loadedWith(nonsense, owner);
    if (rows !== null && !isComplete(rows))
      check.fail(`${outcomeOf(rows)} while the database answered ${label}`);
  }

  const { bodies: ofNone } = await loadedWith((body) => body, store);
  await store.write(ROWS);
  await store.close();
  owner = await t.another();
  const { bodies } = await loadedWith((body) => body, owner);
  if (bodies.length === 0)
    check.notChecked(
      'Let the database answer `nonsense(body)` in place of each body: `garble` gets this function, and it was not called.',
    );
  // If no body shows the rows, they may be compressed or encoded. Then each body becomes nonsense.
  const hasRows = bodies.some((body) => body.includes(MARK))
    ? (body: string) => body.includes(MARK)
    : () => true;
  const empty = new Set(ofNone.map(normal));
  for (const [name, nonsense] of Object.entries({ ...NONSENSE, 'a body that is cut off': cutOff }))
    // An empty database may answer like that, so it is not nonsense.
    await checkNonsense(name, (body) =>
      hasRows(body) && !empty.has(normal(nonsense(body))) ? nonsense(body) : body,
    );
  for (const value of WRONG_VALUES) {
    const label = value === undefined ? 'without a field' : `with a field that is ${JSON.stringify(value)}`;
    let fields = 1;
    for (let at = 0; at < Math.min(fields, MOST_FIELDS); at += 1) {
      // No store can know which texts its rows had, so the rows stay as they are.
      const spoiling = spoiler(at, (before) => (String(before).includes(MARK) ? before : value));
      await checkNonsense(label, (body) => (hasRows(body) ? spoiling.nonsense(body) : body));
      fields = Math.max(fields, spoiling.fields());
    }
  }
  for (const [label, { pathsOf, spoil }] of Object.entries(ROW_SPOILS)) {
    let fields = 1;
    for (let at = 0; at < Math.min(fields, MOST_ROW_FIELDS); at += 1) {
      const spoiling = spoiler(at, spoil, pathsOf);
      await checkNonsense(label, (body) => (hasRows(body) ? spoiling.nonsense(body) : body));
      fields = Math.max(fields, spoiling.fields());
    }
  }
}

/** The key and the text of two rows. */
const MOST_ROW_FIELDS = 4;

const rowFields = (body: unknown): Path[] =>
  fieldsOf(body).filter((path) => String(valueAt(body, path)).includes(MARK));

/**
 * The paths of keys and texts that are named fields. A text whose field has the key as its name is left out,
 * because without the field its row would leave no trace.
 */
const namedFields = (body: unknown): Path[] =>
  rowFields(body).filter(
    (path) => !path.at(-1)?.includes(MARK) && !Array.isArray(valueAt(body, path.slice(0, -1))),
  );

/** The paths of rows that are a list of a key and a text. */
const pairs = (body: unknown): Path[] => {
  const parents = rowFields(body).map((path) => path.slice(0, -1));
  const lists = parents.filter((path) => {
    const parent = valueAt(body, path);
    return Array.isArray(parent) && parent.length === 2;
  });
  return [...new Map(lists.map((path) => [path.join('/'), path])).values()];
};

/** `null` in place of a text is not in the list, because a service may report a removed row by it. */
const ROW_SPOILS: Readonly<Record<string, { pathsOf: (body: unknown) => Path[]; spoil: Spoil }>> = {
  'an object in place of the key or the text of one row': { pathsOf: rowFields, spoil: () => ({}) },
  'a number in place of the key or the text of one row': { pathsOf: rowFields, spoil: () => 17 },
  'one row without its key or its text': { pathsOf: namedFields, spoil: () => undefined },
  'one row without its text': { pathsOf: pairs, spoil: (pair) => (pair as unknown[]).slice(0, 1) },
  'a text in place of one row': { pathsOf: pairs, spoil: () => 'ab' },
};

/** A proxy in front of the database can answer with HTTP 200 and such a body. */
const NO_CONFIRMATIONS = ['a page in place of data', 'an empty object', 'an empty body'] as const;

/** The database stores the rows, but what it answers does not say so. */
async function writeTest(t: RowStoreTest): Promise<void> {
  const { garble, check } = t;
  if (!check.given('garble', garble, WHAT)) return;
  let owner = t.store;
  await owner.load();
  const nonsenses = NO_CONFIRMATIONS.map((name) => [name, NONSENSE[name] as Nonsense] as const);
  for (const [label, nonsense] of [...nonsenses, ['a body that is cut off', cutOff] as const]) {
    let isSpoilt = false;
    const end = await garble((body) => {
      const answer = nonsense(body);
      // A database that answers a write with an empty body confirms it by the status alone.
      if (body.trim() === '' || normal(answer) === normal(body)) return body;
      isSpoilt = true;
      return answer;
    });
    const isWritten = await settles(owner.write([row(`accounts/${MARK}`, label)]));
    await end();
    if (isSpoilt && isWritten) check.fail(`\`write\` fulfilled while the database answered ${label}`);
    check.equal(isSpoilt && isWritten, false, 'whether nonsense confirms a write');
    await owner.close().catch(() => undefined);
    owner = await t.another();
    await owner.load();
  }
}

/** Half of the body. The last line is not whole. */
function cutOff(body: string): string {
  const half = Math.floor(body.length / 2);
  return body.slice(0, body[half - 1] === '\n' ? half + 2 : half);
}
