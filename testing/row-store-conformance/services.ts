/** Databases that answer with an error, with nonsense, with a redirect or not at all. None of that is an empty store. */
import type { RowStore } from 'express-prediction-market/storage/memory';
import { NONSENSE, normal, spoiler, type Nonsense } from '../conformance/nonsense';
import { silenced, type SilentForm } from '../conformance/silence';
import { openStranger } from '../conformance/stranger';
import { done, later, listOf, loaded, row, settles, type RowStoreTest } from './rows';
import type { RowStoreSuite } from './suite';

export function serviceTests({ test }: RowStoreSuite): void {
  test('takes no error of its database for rows or for a write', ['answered', 'rows'], errorTest);
  test('takes no redirect for an answer, and sends nothing there', ['redirect', 'answered'], redirectTest);
  test('takes no answer that it cannot read for rows', ['answered', 'rows'], nonsenseTest);
  test('ends every call when its database never answers', ['ends', 'answered'], (t) =>
    silenceTest(t, 'nothing'),
  );
  test('ends every call when its database stops in the middle of an answer', ['ends', 'answered'], (t) =>
    silenceTest(t, 'halfBody'),
  );
}

const HTTP_ERRORS = [400, 401, 403, 404, 408, 409, 410, 429, 500, 502, 503, 504];

/** The bodies that have the rows contain this text, in each key and in each row. */
const MARK = 'row-of-the-check';
const ROWS = [1, 2, 3].map((number) => row(`accounts/${MARK}-${number}`, `${MARK} ${number}`));
const DURING = 'accounts/during';

type Begin = () => Promise<() => Promise<void>>;

interface Trouble {
  hook: 'failWith' | 'redirect' | 'silence';
  /** What the database does, for the report. */
  label: string;
  begin: Begin;
  /** Whether the database stores the rows all the same, and the trouble begins with its answer. */
  mayStore?: boolean;
}

async function errorTest(t: RowStoreTest): Promise<void> {
  const { failWith, check } = t;
  if (!check.given('failWith', failWith, 'makes the database answer with an HTTP status')) return;
  let owner = await ownerOf(t);
  for (const status of HTTP_ERRORS)
    owner = await checkTrouble(t, owner, {
      hook: 'failWith',
      label: `the database answered HTTP ${status}`,
      begin: () => failWith(status),
    });
}

async function redirectTest(t: RowStoreTest): Promise<void> {
  const { redirect, check } = t;
  if (!check.given('redirect', redirect, 'makes the database answer with a redirect')) return;
  const owner = await ownerOf(t);
  const stranger = await openStranger();
  const begin: Begin = async () => {
    const end = await redirect(stranger.address);
    return async () => {
      await end();
      const [request] = stranger.got();
      if (request !== undefined)
        check
          .by('redirect')
          .fail('a request to the address of a redirect, with what belongs to the database');
    };
  };
  try {
    await checkTrouble(t, owner, { hook: 'redirect', label: 'the database redirected', begin });
  } finally {
    await stranger.close();
  }
}

const SILENCES: Readonly<Record<SilentForm, string>> = {
  nothing: 'the database did not answer',
  halfBody: 'the database sent its headers and half of the body, and then nothing',
};

async function silenceTest(t: RowStoreTest, form: SilentForm): Promise<void> {
  const { silence, check } = t;
  const what = 'makes the database take requests and stay silent';
  if (!check.given('silence', silence, what)) return;
  const end = await silenced(silence, form);
  if (end === null) return void check.given(`silence('${form}')`, false, what);
  await end();
  const begin: Begin = async () => (await silenced(silence, form)) ?? end;
  const trouble = { hook: 'silence', label: SILENCES[form], begin, mayStore: form === 'halfBody' } as const;
  await checkTrouble(t, await ownerOf(t), trouble);
}

/** Stores the rows of the check. */
async function ownerOf({ store }: RowStoreTest): Promise<RowStore> {
  await store.load();
  await store.write(ROWS);
  return store;
}

/** Lets the owner write and a later process load during the trouble. Returns the later process, the owner from then on. */
async function checkTrouble(t: RowStoreTest, owner: RowStore, trouble: Trouble): Promise<RowStore> {
  const { hook, label, begin, mayStore = false } = trouble;
  const { check } = t;
  const written = row(DURING, label);
  const endWriting = await begin();
  const isWritten = await settles(owner.write([written]));
  await endWriting();
  // A store that refuses a second process frees its rows.
  await owner.close().catch(() => undefined);
  const next = await t.another();
  const endLoading = await begin();
  const found = await loaded(next);
  await endLoading();
  const { store, rows } = found === null ? await loadedAgain(t, next, label) : { store: next, rows: found };
  if (found !== null) {
    if (!isComplete(found)) check.by('answered').fail(`${outcomeOf(found)} while ${label}`);
    if (!mayStore) idle(t, hook, 'all rows were loaded');
  }
  check.by('rows').equal(isComplete(rows), true, `whether the rows are complete after ${label}`);
  if (isWritten && rows.get(DURING) !== written[1])
    check.by('answered').fail(`\`write\` fulfilled while ${label}, and its row is not stored`);
  if (isWritten && !mayStore) idle(t, hook, 'a row was stored');
  return store;
}

/** A lost answer to `load` may leave the lock of a store, so a store that is refused gives way to a later process. */
function loadedAgain(t: RowStoreTest, store: RowStore, label: string) {
  const again = store.load().then(
    (rows) => ({ store, rows }),
    () => later({ ...t, store }),
  );
  return done(t.check, `\`load\` again, after ${label}`, again);
}

function idle({ check }: RowStoreTest, hook: string, seen: string): never {
  return check.notChecked(
    `\`${hook}\` does nothing: while it should keep the database from working, ${seen}.`,
  );
}

const withoutDuring = (rows: ReadonlyMap<string, string>) =>
  listOf(new Map([...rows].filter(([key]) => key !== DURING)));
const isComplete = (rows: ReadonlyMap<string, string>): boolean =>
  JSON.stringify(withoutDuring(rows)) === JSON.stringify(listOf(new Map(ROWS as [string, string][])));
const outcomeOf = (rows: ReadonlyMap<string, string>): string =>
  `\`load\` fulfilled with ${rows.size === 0 ? 'no rows' : `${JSON.stringify([...rows]).slice(0, 300)}`}`;

/** A field of the answer gets one of these values. `undefined`: the field is left out. */
const WRONG_VALUES: readonly unknown[] = ['ab', null, {}, undefined];
const MOST_FIELDS = 12;

/** Only bodies with rows become nonsense, so that no earlier answer, such as about the owner, stops the `load`. */
async function nonsenseTest(t: RowStoreTest): Promise<void> {
  const { garble, store, check } = t;
  if (!check.given('garble', garble, 'makes the database answer `nonsense(body)` in place of each body'))
    return;
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
  // A body may be compressed or encoded.
  const hasRows = bodies.some((body) => body.includes(MARK))
    ? (body: string) => body.includes(MARK)
    : () => true;
  const empty = new Set(ofNone.map(normal));
  for (const [name, nonsense] of Object.entries({ ...NONSENSE, 'a body that is cut off': cutOff }))
    // What is the answer of an empty database is no nonsense.
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
}

/** Half of the body. The last line is not whole. */
function cutOff(body: string): string {
  const half = Math.floor(body.length / 2);
  return body.slice(0, body[half - 1] === '\n' ? half + 2 : half);
}
