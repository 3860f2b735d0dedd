import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { createTestMarket, type TestMarket } from '../../testing/create-test-market';
import { migratedSqliteFile, type SqliteFile } from '../support/sqlite-files';
import { run, type CommandRun } from './support';

const ADMIN_TOKEN = 'a-token-of-operators';
let database: SqliteFile;
let test: TestMarket;
let server: Server;
let environment: Record<string, string>;
let url: string;

beforeAll(async () => {
  database = await migratedSqliteFile();
  test = await createTestMarket({ storage: sqliteStorage({ file: database.file }) });
  const app = express();
  app.use('/ops', (request, response, next) => {
    if (request.headers.authorization === `Bearer ${ADMIN_TOKEN}`) next();
    else response.status(401).json({ error: 'no' });
  });
  app.use('/ops', test.pm.adminRouter);
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ops`;
  environment = { DATABASE_URL: `sqlite:${database.file}`, ADMIN_TOKEN };
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await test.close();
  await database.remove();
});

describe.each(['database', 'server'])('on the %s,', (where) => {
  const call = (...args: string[]): Promise<CommandRun> =>
    run([...args, ...(where === 'server' ? ['--url', url] : [])], { environment, clock: test.clock });

  it('keys are listed, changed and revoked, and the server refuses a revoked key at once', async () => {
    const wallet = test.wallet(`owner of keys, ${where}`);
    const { address } = wallet;
    const apiKey = await test.apiKey(wallet);
    const { keys } = await test.pm.listKeys({ address });
    const id = String(keys[0]?.id);
    const listed = await call('keys', 'list', address);
    expect(listed).toMatchObject({ exitCode: 0, told: [], printed: [expect.stringMatching(`^${id}  pmk_`)] });
    expect(listed.printed.join()).not.toContain(apiKey);

    const changed = await call(
      'keys',
      'update',
      id,
      '--rate-limit',
      '600',
      '--scopes',
      'markets:read',
      '--json',
    );
    expect(JSON.parse(changed.printed[0] ?? '')).toMatchObject({ rateLimit: 600, scopes: ['markets:read'] });
    expect((await test.pm.listKeys({ address })).keys).toMatchObject([{ rateLimit: 600 }]);

    expect(await call('keys', 'revoke', id)).toMatchObject({
      exitCode: 0,
      printed: [expect.stringMatching(`^revoked key ${id} `)],
    });
    expect(await call('keys', 'list', address)).toMatchObject({ exitCode: 0, printed: ['no active keys'] });
    const again = await call('keys', 'revoke', id);
    expect(again).toMatchObject({
      exitCode: 2,
      told: [expect.stringMatching(/^error: There is no active key/)],
    });
  });

  it('creators are listed, approved, rejected and suspended', async () => {
    const { address } = test.wallet(`creator, ${where}`);
    const statuses = async (status: string): Promise<string[]> => {
      const { printed } = await call('creators', 'list', '--status', status, '--json');
      return (JSON.parse(printed[0] ?? '') as { creators: { address: string }[] }).creators.map(
        (each) => each.address,
      );
    };
    const approved = await call('creators', 'approve', address);
    expect(approved).toMatchObject({
      exitCode: 0,
      printed: [expect.stringMatching(`^${address}  approved`)],
    });
    expect(await statuses('approved')).toContain(address);
    await call('creators', 'suspend', address, '--reason', 'Spam');
    expect(await statuses('approved')).not.toContain(address);
    expect(await statuses('suspended')).toContain(address);
    const rejected = await call('creators', 'reject', address, '--reason', 'Still spam');
    expect(rejected.printed[0]).toContain('rejected: Still spam');
    const all = await call('creators', 'list', '--limit', '1');
    expect(all.printed).toHaveLength(2);
  });

  it.each([
    [['keys', 'list', '0x12']],
    [['keys', 'update', '1']],
    [['keys', 'update', '1', '--scopes', 'everything']],
    [['keys', 'revoke', 'x']],
    [['creators', 'approve', 'alice']],
    [['creators', 'reject', '0x1111111111111111111111111111111111111111']],
    [['creators', 'list', '--status', 'none']],
    [['creators']],
  ])('%j is wrong use', async (args) => {
    const { exitCode, printed, told } = args.length === 1 ? await run(args) : await call(...args);
    expect({ exitCode, printed, told: told.length > 0 }).toEqual({ exitCode: 2, printed: [], told: true });
  });

  it('the books are audited', async () => {
    expect(await call('audit')).toMatchObject({ exitCode: 0, told: [] });
  });
});

describe("the operators' log", () => {
  it('names the operator that --operator gives, or host', async () => {
    const { address } = test.wallet('judged twice');
    await run(['creators', 'approve', address, '--operator', 'dana'], { environment, clock: test.clock });
    await run(['creators', 'suspend', address, '--reason', 'Spam'], { environment, clock: test.clock });
    const { acts } = await test.pm.listOperatorLog({ limit: 2 });
    expect(acts.map(({ operator, action }) => [operator, action])).toEqual([
      ['host', 'creator.suspend'],
      ['dana', 'creator.approve'],
    ]);
  });

  it.each(['database', 'server'])(
    'shows only the acts of the operator that `log` names, on the %s',
    async (where) => {
      const name = `erin of the ${where}`;
      await test.pm.approveCreator({ address: test.wallet(name).address }, { operator: name });
      const shown = async (operator: string): Promise<string[]> => {
        const args = ['log', '--operator', operator, ...(where === 'server' ? ['--url', url] : [])];
        const { exitCode, told, printed } = await run(args, { environment, clock: test.clock });
        expect({ exitCode, told }).toEqual({ exitCode: 0, told: [] });
        return printed;
      };
      expect(await shown('frank')).toEqual(['0 shown']);
      expect(await shown(name)).toEqual([expect.stringContaining(`  ${name}  creator.approve  `), '1 shown']);
    },
  );

  it('takes no name from a caller of a server', async () => {
    const { address } = test.wallet('judged by a server');
    const refused = await run(['creators', 'approve', address, '--url', url, '--operator', 'dana'], {
      environment,
      clock: test.clock,
    });
    expect(refused).toMatchObject({ exitCode: 2, told: [expect.stringMatching(/^error: --operator works/)] });
  });
});

describe('an answer that the server did not give is a failure, such as', () => {
  const ALICE = '0x1111111111111111111111111111111111111111';
  const approve = ['creators', 'approve', ALICE, '--url', 'http://market.example'];
  const answering = (answer: Response): Promise<CommandRun> =>
    run(approve, { environment, fetch: () => Promise.resolve(answer) });

  it('a redirect, which is not followed: the request would become a GET', async () => {
    const methods: string[] = [];
    const redirecting = express();
    redirecting.use((request, response) => {
      methods.push(request.method);
      response.redirect(`/moved${request.path}`);
    });
    const other = redirecting.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const base = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const refused = await run([...approve.slice(0, 4), base], { environment });
    other.close();
    expect(refused).toMatchObject({
      exitCode: 2,
      printed: [],
      told: [expect.stringMatching(/a redirect to \/moved.*: give the address that the server itself has$/)],
    });
    expect(methods).toEqual(['POST']);
  });

  it("a 404 without a reason: the address has no operators' routes", async () => {
    const told = async (address: string, body = '<html>'): Promise<string[]> => {
      const args = ['creators', 'approve', ALICE, '--url', address];
      const notFound = (): Promise<Response> => Promise.resolve(new Response(body, { status: 404 }));
      const refused = await run(args, { environment, fetch: notFound });
      expect(refused).toMatchObject({ exitCode: 2, printed: [] });
      return refused.told;
    };
    const noRoutes = (base: string): string =>
      `error: ${base}/creators/${ALICE}/approve answered 404: there are no operators' routes; --url is ` +
      'the address of the server, without a path such as /docs, or the whole address of these routes';
    const docs = 'http://market.example/docs';
    expect(await told(docs)).toEqual([noRoutes(docs)]);
    expect(await told(docs, '{"message":"Not Found","statusCode":404}')).toEqual([noRoutes(docs)]);
    const ofApi = JSON.stringify({ code: 'NOT_FOUND', message: 'There is nothing at this address' });
    expect(await told('http://market.example/api/v2/', ofApi)).toEqual([
      noRoutes('http://market.example/api/v2'),
    ]);
    expect(await told('http://market.example')).toEqual([noRoutes('http://market.example/api/v2/admin')]);
  });

  it.each(['{"creators":[]}', '"ok"', '[]', 'null', '<html>'])('%s', async (text) => {
    expect(await answering(new Response(text))).toMatchObject({
      exitCode: 2,
      printed: [],
      told: [expect.stringMatching(/is it the address of the operators' routes\?$/)],
    });
  });
});

describe('events', () => {
  it('prints the facts after a position as one line each, and stops at the newest one with --once', async () => {
    const { epoch, seq } = test.pm.eventPosition();
    await test.pm.runJobs();
    const since = `${epoch}:${test.pm.eventPosition().seq}`;
    const alice = test.wallet('alice');
    await test.fund(alice, 50);
    const { id } = await test.createMarket();
    await test.pm.placeTrade({ wallet: alice.address, market: id, side: 'YES', amount: 10 });
    const { printed, exitCode } = await run(['events', '--since', since, '--once'], { environment });
    const facts = printed.map((line) => JSON.parse(line) as { epoch: string; seq: number; event: string });
    expect(exitCode).toBe(0);
    expect(facts.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['account.balance', 'market.created', 'trade']),
    );
    const first = Number(since.split(':')[1]) + 1;
    expect(facts.map((fact) => [fact.epoch, fact.seq])).toEqual(
      facts.map((_, index) => [epoch, first + index]),
    );
    expect(first).toBeGreaterThan(seq);
    const all = await run(['events', '--since', 'oldest', '--once'], { environment });
    expect(all.printed.slice(-printed.length)).toEqual(printed);
    const { seq: oldest } = JSON.parse(all.printed[0] ?? '') as { seq: number };
    expect(oldest).toBe(1);
    const newest = `${epoch}:${facts.at(-1)?.seq}`;
    const nothing = await run(['events', '--once', '--since', newest], { environment });
    const told = [expect.stringMatching(/^no fact after .+; `--since oldest` prints those that are stored$/)];
    expect(nothing).toEqual({ exitCode: 0, printed: [], told, progress: [] });
  });

  it('follows until it is stopped', async () => {
    const stop = new AbortController();
    const { epoch, seq } = test.pm.eventPosition();
    await test.fund(test.wallet('bob'), 5);
    const printed: string[] = [];
    const ended = await run(['events', '--since', `${epoch}:${seq}`], {
      environment,
      stop: stop.signal,
      onPrint(line) {
        printed.push(line);
        stop.abort();
      },
    });
    expect([ended.exitCode, ended.printed]).toEqual([0, printed]);
    expect(printed).toHaveLength(1);
  });

  it('says why it cannot begin at a position', async () => {
    const { epoch } = test.pm.eventPosition();
    const refused = (since: string): Promise<CommandRun> =>
      run(['events', '--since', since], { environment });
    expect(await refused('another:0')).toMatchObject({
      exitCode: 2,
      told: [expect.stringMatching(/another epoch/)],
    });
    expect(await refused(`${epoch}:999999`)).toMatchObject({
      exitCode: 2,
      told: [expect.stringMatching(/^error: /)],
    });
    expect(
      await run(['events', '--once', '--json', '--since', `${epoch}:999999`], { environment }),
    ).toMatchObject({
      exitCode: 2,
      told: [expect.stringMatching(/^error: The position is ahead of the newest fact/)],
    });
    expect(await refused('5')).toMatchObject({
      exitCode: 2,
      told: [expect.stringMatching(/expected oldest, or <epoch>:<seq>/)],
    });
  });
});
