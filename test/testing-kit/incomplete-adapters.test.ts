/** Adapters that lack members, or whose methods answer with a wrong value. The report names the member. */
import { describe, expect, it, jest } from '@jest/globals';
import { memoryStorage } from '../../adapters/storage/memory';
import { silentLogger } from '../../src/ports/logger';
import type { Storage } from '../../src/ports/storage';
import {
  facilitatorConformance,
  oracleConformance,
  payoutConformance,
  rateLimitConformance,
  rowStoreConformance,
  storageConformance,
  type FacilitatorUnderTest,
  type StorageUnderTest,
} from '../../testing';
import { onPlayMoney, playMoney } from '../facilitator/support/target';
import { recordingRunner, type Recording } from '../storage/broken/recording-runner';
import { oracleWith } from './liars/oracles';

const FIRST = 'every member of the port is there';
const destroy = async (): Promise<void> => undefined;
const SOON_MS = 50;

type Suite = (runner: ReturnType<typeof recordingRunner>['runner']) => void;

function runs(suite: Suite, only?: string): Promise<Recording> {
  const { runner, run } = recordingRunner(expect);
  suite(runner);
  return run(only);
}

const absent = { another: false, inspect: false, cutOff: false, loseCommit: false, durable: false } as const;

function storageSuite(storage: () => Promise<unknown>, hooks: object = absent): Suite {
  return (runner) =>
    storageConformance(runner, {
      create: async () => ({ storage: (await storage()) as Storage, ...hooks, destroy }) as StorageUnderTest,
      provenElsewhere: ['pageCost', 'walkCost'],
    });
}

/** A memory storage that lacks these repositories in `read` and in `transaction`. */
async function storageWithout(...repositories: string[]): Promise<Storage> {
  const storage = memoryStorage();
  await storage.open({ logger: silentLogger });
  const without = <T extends object>(all: T): T =>
    new Proxy(all, {
      get: (target, name) => (repositories.includes(String(name)) ? undefined : Reflect.get(target, name)),
    });
  return {
    ...storage,
    read: (work) => storage.read((reader) => work(without(reader))),
    transaction: (work, options) => storage.transaction((transaction) => work(without(transaction)), options),
  };
}

describe('a storage that lacks', () => {
  it('everything is told in one list, and every other check names the first fault in one line', async () => {
    const { passed, reports } = await runs(storageSuite(async () => ({})));
    expect(passed).toEqual([]);
    expect(reports.get(FIRST)?.split('\n')).toEqual([
      'The adapter does not have the whole port Storage. Faults: 8',
      ...['name` must be a text', 'eventNumbering` must be a text'].map(
        (m) => `- \`storage.${m}; came: undefined`,
      ),
      ...['open', 'close', 'ping', 'read', 'snapshot', 'transaction'].map(
        (method) => `- \`storage.${method}\` must be a method; came: undefined`,
      ),
      'Read: docs/storage-adapters.md, and the comments of src/ports/storage/',
    ]);
    reports.delete(FIRST);
    expect(new Set(reports.values())).toEqual(
      new Set([
        `Storage: \`storage.name\` must be a text; came: undefined. The check “${FIRST}” lists all that is missing.`,
      ]),
    );
  });

  it('two repositories is told so, and only the checks that use them fail', async () => {
    const create = () => storageWithout('leases', 'candles');
    const { passed, reports } = await runs(storageSuite(create));
    expect(reports.get(FIRST)?.split('\n').slice(0, -1)).toEqual([
      'The adapter does not have the whole port Storage. Faults: 3',
      '- `reader.candles` of `read` must have list, lastBefore, volumes; came: undefined',
      '- `transaction.candles` of `transaction` must have list, lastBefore, volumes, merge; came: undefined',
      '- `transaction.leases` of `transaction` must have acquire, release; came: undefined',
    ]);
    reports.delete(FIRST);
    expect(passed.length).toBeGreaterThan(reports.size);
    for (const report of reports.values())
      expect(report).toMatch(
        /^Storage: `(reader|transaction)\.(leases|candles)\.\w+` is missing\. The check “.*” lists all that is missing\.$/,
      );
  });

  it('a repository is not taken for one that refuses a write', async () => {
    const name = 'transactions: write nothing at all when a write is rejected';
    const { reports } = await runs(
      storageSuite(() => storageWithout('accounts')),
      name,
    );
    expect(reports.get(name)).toContain('`transaction.accounts.apply` is missing');
  });

  it('a call of its work in `transaction` is told so, as is a `create` that gives nothing', async () => {
    const silent = async () => ({ ...(await storageWithout()), transaction: async () => undefined });
    expect((await runs(storageSuite(silent), FIRST)).reports.get(FIRST)).toContain(
      '- `storage.transaction(work)` must call `work`; it did not',
    );
    const nothing: Suite = (runner) => storageConformance(runner, { create: async () => undefined as never });
    expect((await runs(nothing, FIRST)).reports.get(FIRST)).toContain(
      '- `create()` must be an object with storage, destroy; came: undefined',
    );
  });
});

describe('a storage that answers `undefined`', () => {
  it('is reported with the call', async () => {
    const storage = memoryStorage();
    await storage.open({ logger: silentLogger });
    const markets = { findByIds: async () => undefined };
    const broken = {
      ...storage,
      read: <T>(work: (reader: never) => Promise<T>) =>
        storage.read((reader) => work({ ...reader, markets: { ...reader.markets, ...markets } } as never)),
    };
    const name = 'isolation: read never sees what is rolled back';
    const { reports } = await runs(
      storageSuite(async () => broken),
      name,
    );
    expect(reports.get(name)).toContain('`markets.findByIds` answered undefined');
  });
});

const oracleSuite =
  (fault: object, timeLimitMs = 20_000): Suite =>
  (runner) =>
    oracleConformance(runner, { create: async () => oracleWith(() => fault), timeLimitMs });

describe('an adapter in place of the object of `create`', () => {
  const slip = { create: async () => oracleWith(() => ({})).oracle as never };
  const suites: [string, Suite, string][] = [
    ['an oracle', (runner) => oracleConformance(runner, slip), '{ oracle, question,'],
    [
      'a storage',
      (runner) => storageConformance(runner, { create: async () => memoryStorage() as never }),
      '{ storage, destroy }',
    ],
    [
      'a facilitator',
      (runner) => facilitatorConformance(runner, { create: async () => playMoney() as never }),
      '{ facilitator,',
    ],
  ];

  it.each(suites)('%s is told so in one sentence', async (_what, suite, members) => {
    const { passed, reports } = await runs(suite);
    expect(passed).toEqual([]);
    expect(reports.get(FIRST)).toContain('Faults: 1\n- `create()` must return an object');
    expect(reports.get(FIRST)).toContain(members);
    expect(reports.get(FIRST)).toMatch(/; it returned the \w+ itself\n/);
  });
});

describe('an oracle', () => {
  const SAYS = 'an oracle: says what its sources say, with figures that fit';

  it.each([
    ['without `ask`', { ask: undefined }, '`oracle.ask` must be a method; came: undefined'],
    ['with a text as `ask`', { ask: 'YES' }, '`oracle.ask` must be a method; came: "YES"'],
    ['without a name', { name: undefined }, '`oracle.name` must be a text; came: undefined'],
  ])('%s fails every check by its name', async (_what, fault, line) => {
    const { passed, reports } = await runs(oracleSuite(fault));
    expect(passed).toEqual([]);
    expect(reports.get(FIRST)).toBe(
      `The adapter does not have the whole port Oracle. Faults: 1\n- ${line}\nRead: docs/oracle-adapters.md, and the comments of src/ports/oracle.ts`,
    );
    for (const report of reports.values()) expect(report).toContain(line);
  });

  it.each([
    ['undefined', undefined],
    ['"YES"', 'YES'],
  ])('that answers %s is told what an answer is', async (came, answer) => {
    const { reports } = await runs(oracleSuite({ ask: async () => answer }), SAYS);
    expect(reports.get(SAYS)).toContain(
      `\`ask\` answered ${came}\nExpected: an object with \`outcome\`, \`probability\` and \`confidence\`\nRead: docs/oracle-adapters.md`,
    );
  });

  it('that throws at once, or never answers, is told the method', async () => {
    const thrown = await runs(oracleSuite({ ask: () => boom() }), SAYS);
    expect(thrown.reports.get(SAYS)).toContain('it threw before it returned a promise: "Error: boom"');
    const silent = await runs(oracleSuite({ ask: () => new Promise(() => undefined) }, SOON_MS), SAYS);
    expect(silent.reports.get(SAYS)).toContain(`after ${SOON_MS} ms; not answered: ask`);
  });
});

function boom(): never {
  throw new Error('boom');
}

function facilitatorSuite(fault: object, timeLimitMs = 20_000): Suite {
  return (runner) =>
    facilitatorConformance(runner, {
      timeLimitMs,
      async create() {
        const honest = playMoney();
        const asked = {
          loseAnswer: false,
          garble: false,
          failWith: false,
          silence: false,
          redirect: false,
        } as const;
        const hooks = { ...asked, another: false, hold: false, cutOff: false } as const;
        const made = onPlayMoney(honest, {
          ...{ facilitator: honest, looksUp: true, times: false, secrets: false, destroy },
          ...hooks,
        });
        return { ...made, facilitator: { ...honest, ...fault } } as FacilitatorUnderTest;
      },
    });
}

describe('a facilitator', () => {
  it('without methods is told all of them, and every check fails', async () => {
    const { passed, reports } = await runs(facilitatorSuite({ settle: undefined, lookup: 'x' }));
    expect(passed).toEqual([]);
    expect(reports.get(FIRST)).toBe(
      'The adapter does not have the whole port Facilitator. Faults: 2\n- `facilitator.settle` must be a method; came: undefined\n' +
        '- `facilitator.lookup` must be a method; came: "x"\n' +
        'Read: docs/facilitator-adapters.md, and the comments of src/ports/facilitator.ts',
    );
  });

  it.each([
    ['undefined', undefined],
    ['{"status":"ok"}', { status: 'ok' }],
  ])('that answers %s is told the method and its answers', async (came, answer) => {
    const { reports } = await runs(facilitatorSuite({ settle: async () => answer }));
    const all = [...reports.values()].filter((report) => report.includes(`\`settle\` answered ${came}`));
    expect(all.length).toBeGreaterThan(3);
    expect(all[0]).toContain(
      'Expected: an object with `status`, one of settled, invalid, insufficient_funds, spent, unavailable, unknown\nRead: docs/facilitator-adapters.md',
    );
  });

  it('that throws at once, or never answers, is told the method', async () => {
    const thrown = await runs(facilitatorSuite({ verify: () => boom() }));
    expect([...thrown.reports.values()].join('\n')).toContain(
      'The last calls, the newest first: `verify` threw, before it returned a promise, "Error: boom"',
    );
    const silent = await runs(facilitatorSuite({ supported: () => new Promise(() => undefined) }, 400));
    expect([...silent.reports.values()].join('\n')).toContain('after 400 ms; not answered: supported');
  });
});

describe('an empty object', () => {
  const empty: Record<string, Suite> = {
    Payout: (runner) =>
      payoutConformance(runner, { create: async () => ({ payout: {}, order, destroy }) as never }),
    RateLimitBackend: (runner) =>
      rateLimitConformance(runner, { create: async () => ({ backend: {}, destroy }) as never }),
    RowStore: (runner) =>
      rowStoreConformance(runner, { create: async () => ({ store: {}, another: order, destroy }) as never }),
  };
  function order(): void {
    throw new Error('not called');
  }

  it.each(Object.entries(empty))('passes no check of %s', async (port, suite) => {
    const { passed, reports } = await runs(suite);
    expect(passed).toEqual([]);
    expect(reports.get(FIRST)).toMatch(
      new RegExp(`^The adapter does not have the whole port ${port}. Faults: \\d\n- `),
    );
  });
});

describe('a check of a hook that is declared absent', () => {
  const NAME = 'the means to look: a second handle is given, or declared absent';

  async function skipsOf(context: readonly unknown[], hooks: object): Promise<void> {
    const bodies = new Map<string, (...given: readonly unknown[]) => Promise<void>>();
    const path: string[] = [];
    storageSuite(
      () => storageWithout(),
      hooks,
    )({
      describe(name, body) {
        path.push(name);
        body();
        path.pop();
      },
      it: (name, body) => void bodies.set([...path.slice(1), name].join(': '), body),
      expect,
    });
    await bodies.get(NAME)?.(...context);
  }

  it('is skipped where the runner gives a context that can skip', async () => {
    const skip = jest.fn();
    await skipsOf([{ skip }], absent);
    expect(skip.mock.calls).toEqual([['declared absent: another']]);
    skip.mockClear();
    await skipsOf([{ skip }], { ...absent, another: () => storageWithout() });
    expect(skip).not.toHaveBeenCalled();
  });

  it('passes where the runner gives none', async () => {
    await expect(skipsOf([], absent)).resolves.toBeUndefined();
  });
});
