/** Databases that answer with an error, with nonsense, with a redirect or not at all. None of that is an empty store. */
import type { RowStore } from 'express-prediction-market/storage/memory';
import { insteadOf } from '../conformance/failure';
import { silenced, type SilentForm } from '../conformance/silence';
import { openStranger } from '../conformance/stranger';
import { done, later, listOf, loaded, row, settles, type RowStoreTest } from './rows';
import type { RowStoreSuite } from './suite';

export function serviceTests({ test }: RowStoreSuite): void {
  test('takes no error of its database for rows or for a write', ['answered', 'rows'], errorTest);
  test('takes no redirect for an answer, and sends nothing there', ['redirect', 'answered'], redirectTest);
  test('ends every call when its database never answers', ['ends', 'answered'], (t) =>
    silenceTest(t, 'nothing'),
  );
  test('ends every call when its database stops in the middle of an answer', ['ends', 'answered'], (t) =>
    silenceTest(t, 'halfBody'),
  );
}

const HTTP_ERRORS = [400, 401, 403, 404, 408, 409, 410, 429, 500, 502, 503, 504];

/** Each key and each text of `ROWS` contains this text. By it the suite finds the bodies that contain rows. */
export const MARK = 'row-of-the-check';
export const ROWS = [1, 2, 3].map((number) => row(`accounts/${MARK}-${number}`, `${MARK} ${number}`));
const DURING = 'accounts/during';

type Begin = () => Promise<() => Promise<void>>;

interface Trouble {
  hook: 'failWith' | 'redirect' | 'silence';
  /** What the database does, for the report. */
  label: string;
  begin: Begin;
  /** Whether the store may succeed during the trouble, because half of an answer may be enough for it. */
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
          .fail('the store followed a redirect, and sent to its address what belongs to the database');
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

/** Loads the store and writes `ROWS` into it. */
async function ownerOf({ store }: RowStoreTest): Promise<RowStore> {
  await store.load();
  await store.write(ROWS);
  return store;
}

/** Lets the owner write and a later process load during the trouble. Returns the store of the next owner. */
async function checkTrouble(t: RowStoreTest, owner: RowStore, trouble: Trouble): Promise<RowStore> {
  const { hook, label, begin, mayStore = false } = trouble;
  const { check } = t;
  const written = row(DURING, label);
  const endWriting = await begin();
  const isWritten = await settles(owner.write([written]));
  await endWriting();
  // If the store refuses a second process, that process can load only after this `close`.
  await owner.close().catch(() => undefined);
  const next = await t.another();
  const endLoading = await begin();
  const found = await loaded(next);
  await endLoading();
  const { store, rows } = found === null ? await loadedAgain(t, next, label) : { store: next, rows: found };
  if (found !== null) {
    if (!isComplete(found))
      check.by('answered').fail(insteadOf(`${outcomeOf(found)} while ${label}`, 'a rejection'));
    if (!mayStore) idle(t, hook, 'all rows were loaded');
  }
  check.by('rows').holds(isComplete(rows), insteadOf(`${outcomeOf(rows)} after ${label}`, 'all rows'));
  if (isWritten && rows.get(DURING) !== written[1])
    check
      .by('answered')
      .fail(insteadOf(`\`write\` fulfilled while ${label}, and its row is not stored`, 'a rejection'));
  if (isWritten && !mayStore) idle(t, hook, 'a row was stored');
  return store;
}

/**
 * Loads the store again. If that rejects, perhaps because of a lock that the lost answer has left, a later process
 * loads.
 */
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
export const isComplete = (rows: ReadonlyMap<string, string>): boolean =>
  JSON.stringify(withoutDuring(rows)) === JSON.stringify(listOf(new Map(ROWS as [string, string][])));
export const outcomeOf = (rows: ReadonlyMap<string, string>): string =>
  `\`load\` fulfilled with ${rows.size === 0 ? 'no rows' : `${JSON.stringify([...rows]).slice(0, 300)}`}`;
