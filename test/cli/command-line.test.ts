import { createProgram } from '../../cli/program';
import { run } from './support';

const nothing = (): never => {
  throw new Error('not called');
};
const names = createProgram({
  environment: {},
  folder: '.',
  print: nothing,
  tell: nothing,
  isInteractive: false,
  choose: nothing,
  progress: nothing,
  stop: new AbortController().signal,
  fetch: nothing,
  isInstalled: nothing,
}).commands.map((command) => command.name());

it('--help names every command and exits with 0', async () => {
  const { exitCode, printed, told } = await run(['--help']);
  expect({ exitCode, told }).toEqual({ exitCode: 0, told: [] });
  for (const name of names) expect(printed.join('\n')).toContain(`  ${name}`);
});

it.each(names)('%s --help describes the command', async (name) => {
  const { exitCode, printed } = await run([name, '--help']);
  expect({ exitCode, first: printed[0] }).toEqual({
    exitCode: 0,
    first: expect.stringMatching(`^Usage: express-prediction-market ${name}`),
  });
});

it('--version prints the version of the package', async () => {
  expect(await run(['--version'])).toMatchObject({
    exitCode: 0,
    printed: [expect.stringMatching(/^\d+\.\d+\.\d+/)],
  });
});

it.each([
  [['nonsense'], /^error: unknown command 'nonsense'; see --help$/],
  [['init', 'x', '--storage', 'y'], /Allowed choices are sqlite, postgres, memory; see --help$/],
  [['audit', '--nonsense'], /^error: unknown option '--nonsense'; see --help$/],
  [['audit', '--nonsense=secret'], /^error: unknown option '--nonsense'; see --help$/],
  [['audit', '--json=1'], /^error: option '--json' takes no value; see --help$/],
  [['help', 'nonsense'], /^error: unknown command 'nonsense'; see --help$/],
  [['help', 'keys', 'nonsense'], /^error: unknown command 'nonsense'; see --help$/],
  [['keys'], /^error: keys needs a subcommand: list, update, revoke; see --help$/],
  [['creators'], /^error: creators needs a subcommand: list, approve, reject, suspend; see --help$/],
  [['events', '--once'], /^error: --once needs --since: `--since oldest` prints all facts that are stored$/],
  [['audit', 'nonsense'], /too many arguments/],
  [['audit', '--url', 'ftp://x'], /--url: expected an http/],
  [['audit', '--url', 'http://user:secret@x'], /--url: expected an address without credentials/],
  [['audit', '--url', 'http://x'], /needs the token of the server in the environment variable ADMIN_TOKEN/],
])('%j is wrong use: one line, and 2', async (args, line) => {
  const { exitCode, printed, told } = await run(args);
  expect({ exitCode, printed, told }).toEqual({
    exitCode: 2,
    printed: [],
    told: [expect.stringMatching(line)],
  });
  expect(told[0]).not.toContain('secret');
});

const DATABASE = 'DATABASE_URL (sqlite:<file> or postgres://…)';

it.each([
  [['serve', '--port', '3001'], '--port', 'PORT=3001'],
  [['serve', '--port=3001'], '--port', 'PORT=3001'],
  [['serve', '-p', '3001'], '-p', 'PORT=3001'],
  [['serve', '--port'], '--port', 'PORT'],
  [['serve', '--host', '0.0.0.0'], '--host', 'HOST=0.0.0.0'],
  [['serve', '--base-url', 'https://a.example'], '--base-url', 'BASE_URL=https://a.example'],
  [['serve', '--database-url', 'postgres://u:secret@h/x'], '--database-url', DATABASE],
  [['serve', '--admin-token=a-secret-of-mine'], '--admin-token', 'ADMIN_TOKEN'],
  [['migrate', '--database-url=postgres://u:secret@h/x'], '--database-url', DATABASE],
  [['audit', '--db', 'x.db'], '--db', DATABASE],
  [['keys', 'list', '--database', 'x.db', '0x12'], '--database', DATABASE],
  [['audit', '--token', 'secret'], '--token', 'ADMIN_TOKEN'],
])('%j: the option %s is a variable of the environment, %s', async (args, option, variable) => {
  expect(await run(args)).toMatchObject({
    exitCode: 2,
    printed: [],
    told: [`error: unknown option '${option}'; set the environment variable ${variable} instead; see --help`],
  });
});

it.each([[['migrate', '--port', '1']], [['init', 'x', '--database-url', 'y']]])(
  '%j names no variable, because the command does not use it',
  async (args) => {
    const { exitCode, told } = await run(args);
    expect([exitCode, told.join()]).toEqual([2, expect.not.stringContaining('environment')]);
  },
);

it.each([
  [
    ['help', 'audit'],
    ['audit', '--help'],
  ],
  [
    ['help', 'keys'],
    ['keys', '--help'],
  ],
  [
    ['help', 'keys', 'list'],
    ['keys', 'list', '--help'],
  ],
])('%j prints the same as %j', async (asked, same) => {
  const { exitCode, printed } = await run(asked);
  expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: (await run(same)).printed });
});

it.each(['keys', 'creators'])('%s help prints the help and exits with 0', async (name) => {
  const { exitCode, printed } = await run([name, 'help']);
  expect([exitCode, printed[0]]).toEqual([
    0,
    expect.stringMatching(`^Usage: express-prediction-market ${name}`),
  ]);
});

it.each([
  [['sample'], 'sqlite:never.db', 'sequelize sqlite3'],
  [['creators', 'list'], 'postgres://127.0.0.1:1/x', 'sequelize pg'],
  [['serve'], 'memory:', 'express helmet pino prom-client'],
  [['audit'], 'postgres://127.0.0.1:1/x', 'sequelize pg'],
])('%j names every missing package at once: for %s these are %s', async (args, DATABASE_URL, packages) => {
  const ended = await run(args, { environment: { DATABASE_URL }, isInstalled: () => false });
  expect(ended).toMatchObject({
    exitCode: 2,
    printed: [],
    told: [`error: ${args[0]} needs packages that are not installed: npm install ${packages}`],
  });
});

it.each([
  [{ DATABASE_URL: 'mysql://x' }, 2, /^error: DATABASE_URL: expected/],
  [{ DATABASE_URL: 'memory:' }, 2, /^error: audit needs a database: DATABASE_URL is memory:/],
  [{ PORT: 'x' }, 2, /^error: PORT: expected an integer/],
  [
    { DATABASE_URL: 'postgres://me:hunter2hunter2@127.0.0.1:1/x' },
    3,
    /^error: DATABASE_URL: connect ECONNREFUSED/,
  ],
  // The text `%zz` cannot be decoded as percent-encoding.
  [{ DATABASE_URL: 'postgres://me:hunter2%zz@127.0.0.1:1/x' }, 2, /^error: DATABASE_URL: .*cannot be parsed/],
])('the environment %j ends in one line without a secret', async (environment, exitCode, line) => {
  const ended = await run(['audit'], { environment });
  expect(ended).toMatchObject({ exitCode, printed: [], told: [expect.stringMatching(line)] });
  expect(ended.told.join()).not.toMatch(/hunter2|\s+at .*:\d+/);
});

describe('--url', () => {
  const environment = { ADMIN_TOKEN: 'a-token-of-operators' };
  const answering = (response: () => Response) => {
    const asked: string[] = [];
    return {
      asked,
      fetch: async (input: string | URL | Request, init?: RequestInit) => {
        const { authorization } = (init?.headers ?? {}) as Record<string, string>;
        asked.push(
          `${init?.method} ${input instanceof Request ? input.url : input.toString()} ${authorization}`,
        );
        return response();
      },
    };
  };

  it.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/api/v2/admin/audit'],
    ['https://market.example/ops/', 'https://market.example/ops/audit'],
  ])('%s asks %s, with the token. A token that is refused needs a person', async (url, asked) => {
    const server = answering(() => Response.json({ error: 'no' }, { status: 401 }));
    const ended = await run(['audit', '--url', url], { environment, fetch: server.fetch });
    expect(server.asked).toEqual([`GET ${asked} Bearer a-token-of-operators`]);
    expect(ended).toMatchObject({ exitCode: 2, told: [expect.stringMatching(/refused ADMIN_TOKEN$/)] });
    const other = await run(['creators', 'list', '--url', url], { environment, fetch: server.fetch });
    expect(other).toEqual({ ...ended, exitCode: 2 });
  });

  it.each<[string, () => Response, RegExp, number]>([
    ['another program', () => new Response('<html>'), /gave another answer than expected/, 2],
    ['a page of errors', () => new Response('<html>', { status: 502 }), /answered 502$/, 3],
    [
      'a server whose storage is away',
      () => Response.json({ code: 'SERVICE_UNAVAILABLE', message: 'Away' }, { status: 503 }),
      /^error: Away \(SERVICE_UNAVAILABLE\)$/,
      3,
    ],
    [
      'no server',
      () => {
        throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
      },
      /^error: no answer from http:\/\/x\/api\/v2\/admin: ECONNREFUSED$/,
      3,
    ],
  ])('says what is wrong with %s', async (_name, response, line, exitCode) => {
    const { fetch } = answering(response);
    const ended = await run(['audit', '--url', 'http://x'], { environment, fetch });
    expect(ended).toMatchObject({ exitCode, printed: [], told: [expect.stringMatching(line)] });
  });

  it.each([
    ['creators list', 30],
    ['audit', 600],
  ])('%s waits at most %i s for an answer', async (command, seconds) => {
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const fetch = (_url: unknown, { signal }: RequestInit = {}): Promise<Response> => {
      const ended = new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
      limit.abort(new DOMException('late', 'TimeoutError'));
      return ended;
    };
    const { told } = await run([...command.split(' '), '--url', 'http://x'], { environment, fetch });
    expect(told).toEqual([`error: no answer from http://x/api/v2/admin: none within ${seconds} s`]);
    expect(timeout).toHaveBeenCalledWith(seconds * 1000);
    timeout.mockRestore();
  });

  it('a command can be stopped while the rest of an answer does not come', async () => {
    const stop = new AbortController();
    // This body never ends, so the command waits for more until the test stops the command.
    const stalled = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"ok":'));
        stop.abort();
        return new Promise(() => undefined);
      },
    });
    const { fetch } = answering(() => new Response(stalled));
    expect(
      await run(['audit', '--url', 'http://x'], { environment, fetch, stop: stop.signal }),
    ).toMatchObject({
      exitCode: 3,
      told: [expect.stringMatching(/^error: no answer from http:\/\/x\/api\/v2\/admin: /)],
    });
  });
});
