/**
 * The commands for money, markets, payments, webhooks, consumers and the log, on the database of a running server and
 * through the server. `operators.test.ts` has those for keys and creators.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sqliteStorage } from '../../adapters/storage/sqlite';
import { ERROR_TABLE, type Oracle } from '../../src';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { fakePayout } from '../../testing/fake-payout';
import { createMarket, OPS, startService, wallet, type Service } from '../http/support/service';
import { migratedSqliteFile, type SqliteFile } from '../support/sqlite-files';
import { DEPOSIT, paymentFor, send } from '../x402/support/calls';
import { run, type CommandRun } from './support';

const ADMIN_TOKEN = 'a-token-of-operators';
const HASH = `0x${'5e'.repeat(32)}`;
const DAY_MS = 86_400_000;
const creator = wallet(920);

const facilitator = fakeFacilitator();
const payout = fakePayout();
/** One vote is too few to decide, so each market is left to an operator. */
const judge: Oracle = {
  name: 'judge',
  role: 'judge',
  ask: async () => {
    const answer = { outcome: 'YES' as const, probability: 0.97, confidence: 0.9, reasoning: 'It is.' };
    const vote = { oracle: 'one', model: 'm-1', citations: [], latencyMs: 5, promptHash: 'a'.repeat(64) };
    return { ...answer, votes: [{ ...answer, ...vote, costUsd: 0.01 }] };
  },
};
let database: SqliteFile;
let service: Service;
let server: Server;
let url: string;

beforeAll(async () => {
  facilitator.settleWith({ status: 'unknown', reason: 'time-out' });
  facilitator.lookupWith({ status: 'unknown', reason: 'there is no chain to ask' });
  payout.progressWith({ status: 'pending' });
  database = await migratedSqliteFile();
  const storage = sqliteStorage({ file: database.file });
  service = await startService({
    ...{ storage, facilitator, payout, oracle: judge, jobIntervalMs: DAY_MS },
    ...{ exposureLimit: 250, webhooks: { allowPrivate: true } },
  });
  server = createServer(service.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${OPS}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await service.close();
  await database.remove();
});

const runWith = (settings: Record<string, string>, args: readonly string[]): Promise<CommandRun> =>
  run(args, {
    environment: { DATABASE_URL: `sqlite:${database.file}`, ADMIN_TOKEN, ...settings },
    clock: service.clock,
  });
const onDatabase = (...args: string[]): Promise<CommandRun> =>
  runWith({ EXPOSURE_LIMIT: '250', WEBHOOK_ALLOW_PRIVATE: '1' }, args);
const onServer = (...args: string[]): Promise<CommandRun> => onDatabase(...args, '--url', url);
const jsonOf = <View>({ printed }: CommandRun): View => JSON.parse(printed[0] ?? '') as View;
const done = (...lines: RegExp[]): object => ({
  ...{ exitCode: 0, told: [] },
  printed: lines.map((line) => expect.stringMatching(line)),
});
const WHY_PENDING = /^pending: the log of the server that pays withdrawals says why one waits$/;
const refused = (line: RegExp): object => ({
  ...{ exitCode: 2, printed: [] },
  told: [expect.stringMatching(line)],
});

describe.each([
  ['database', onDatabase, 1],
  ['server', onServer, 2],
])('on the %s,', (_where, call, number) => {
  it('a deposit is credited once for its reference, and the account shows it', async () => {
    const { address } = wallet(920 + number);
    const add = ['deposits', 'add', address, '99.95', '--reference', `transfer ${number}`];
    const creditedAt = new Date(service.clock.now()).toISOString();
    const lines = [
      new RegExp(`^credited 99.95 USD to ${address} at ${creditedAt} for the reference transfer ${number}$`),
      /^after it: balance 99.95 USD, reserved 0 USD, available 99.95 USD$/,
    ];
    expect(await call(...add)).toMatchObject(done(...lines));
    service.clock.advance(1000);
    expect(await call(...add)).toMatchObject(done(...lines));
    expect(jsonOf(await call(...add, '--json'))).toEqual({
      ...{ address, amount: 99.95, reference: `transfer ${number}` },
      ...{ balance: 99.95, reserved: 0, available: 99.95 },
    });
    expect(jsonOf(await call('accounts', 'show', address, '--json'))).toEqual({
      ...{ address, balance: 99.95, reserved: 0, available: 99.95 },
    });
    expect(await call('accounts', 'show', address)).toMatchObject(done(/^0x\w+ {2}balance 99.95 USD/));
    const other = ['deposits', 'add', address, '100', '--reference', `transfer ${number}`];
    expect(await call(...other)).toMatchObject(
      refused(
        new RegExp(
          `^error: The reference .* was used for another deposit: 99.95 USD to ${address} at ${creditedAt}`,
        ),
      ),
    );
  });

  it('what has changed the balance of a wallet is listed', async () => {
    const { address } = wallet(940 + number);
    await service.pm.deposit({ address, amount: 20, reference: `for the list ${number}` });
    const { id } = await service.pm.requestWithdrawal({ wallet: address, amount: 5 });
    expect(await call('accounts', 'deposits', address)).toMatchObject(
      done(new RegExp(`^\\S+  20 USD  operator  transaction -  for the list ${number}$`), /^1 shown$/),
    );
    expect(await call('accounts', 'withdrawals', address)).toMatchObject(
      done(new RegExp(`^${id}  pending  5 USD `), WHY_PENDING, /^1 of 1$/),
    );
    expect(await call('accounts', 'postings', address)).toMatchObject(
      done(new RegExp(`^\\S+  deposit  20 USD  market -  deposit:for the list ${number}$`), /^1 shown$/),
    );
    await service.pm.deposit({ address, amount: 1, reference: `one more ${number}` });
    const first = await call('accounts', 'postings', address, '--limit', '1');
    expect(first.printed[1]).toBe('1 shown; --after 0-1-0 shows more');
    const second = await call('accounts', 'postings', address, '--limit', '1', '--after', '0-1-0');
    expect(second.printed[0]).toMatch(/ {2}deposit {2}(20|1) USD /);
  });

  it.each(['1.0000001', '1e3', '1,5', '-1', '0', '99999999999'])(
    'an amount of %s is refused, and credits nothing',
    async (amount) => {
      const { address } = wallet(921);
      const { told, ...ended } = await call('deposits', 'add', address, amount, '--reference', 'never');
      expect({ ...ended, told: told.length }).toMatchObject({ exitCode: 2, printed: [], told: 1 });
    },
  );

  it('the treasury is credited once for a reference, and shown', async () => {
    const deposit = ['treasury', 'deposit', '500', '--reference', `house ${number}`];
    const creditedAt = new Date(service.clock.now()).toISOString();
    await call(...deposit);
    service.clock.advance(1000);
    expect(await call(...deposit)).toMatchObject(
      done(
        new RegExp(`^credited 500 USD to the treasury at ${creditedAt} for the reference house`),
        /^after it: balance \d+ USD$/,
      ),
    );
    expect(await call('treasury', 'show')).toMatchObject(
      done(/^balance \d+ USD, exposure [\d.]+ USD, limit \d+ USD: solvent$/),
    );
    expect(jsonOf(await call('treasury', 'show', '--json'))).toEqual(await service.pm.getTreasury());
  });

  it('a market is listed, closed, shown with its rounds, put to the oracle again and resolved', async () => {
    const id = await createMarket(service, creator, { question: `Is ${number} even?` });
    expect(
      await call('markets', 'list', '--status', 'open', '--sort', 'created_desc', '--limit', '1'),
    ).toMatchObject(done(/^PM-\d+ {2}open {2}YES 0.5 .*Is \d even\?$/, /^1 of \d+$/));
    expect(await call('markets', 'close', `PM-000${id}`)).toMatchObject(done(/^PM-\d+ {2}resolving /));
    await service.pm.runJobs();
    expect(await call('resolutions', 'list')).toMatchObject(
      done(
        new RegExp(`^PM-000${id}  escalated  round 1: YES  an operator decides  Is ${number} even\\?$`),
        /^1 of 1$/,
      ),
    );
    expect(await call('markets', 'list', '--progress', 'escalated')).toMatchObject(
      done(/^PM-\d+ {2}resolving \(escalated YES, an operator decides\) /, /^1 of 1$/),
    );
    const shown = await call('resolutions', 'show', String(id));
    expect(shown).toMatchObject(
      done(
        /^market PM-000\d: escalated YES, an operator decides$/,
        /^round 1 .* YES, confidence 0.9$/,
        /^ {2}one {2}YES {2}confidence 0.9 {2}cost 0.01 USD {2}It is.$/,
      ),
    );
    expect(await call('resolutions', 'retry', String(id))).toMatchObject({ exitCode: 0, told: [] });
    expect(await call('markets', 'resolve', String(id), 'NO', '--note', 'Arithmetic.')).toMatchObject(
      done(/^PM-\d+ {2}resolved NO /),
    );
    expect(await call('markets', 'resolve', String(id), 'YES')).toMatchObject(
      refused(/^error: Market PM-\d+ was resolved NO, not YES/),
    );
    expect(await call('resolutions', 'retry', String(id))).toMatchObject(
      refused(/^error: Market PM-\d+ does not wait for an operator/),
    );
    expect(await call('markets', 'close', '..')).toMatchObject({ exitCode: 2, printed: [] });
  });

  it('the withdrawals and payments that are open are listed', async () => {
    const owner = wallet(930 + number);
    await service.fund(owner, 50);
    const { id } = await service.pm.requestWithdrawal({ wallet: owner.address, amount: 5 });
    const list = (): Promise<CommandRun> =>
      call('withdrawals', 'list', '--after', String(id - 1), '--limit', '1');
    const line = (status: string): RegExp => new RegExp(`^${id}  ${status}  5 USD .* to ${owner.address}$`);
    expect(await list()).toMatchObject(done(line('pending'), WHY_PENDING, /^1 shown$/));
    await service.pm.runJobs();
    expect(await list()).toMatchObject(done(line('sent'), /^1 shown$/));
    const payment = await submittedPayment();
    expect(await call('payments', 'list', '--status', 'submitted', '--limit', '1')).toMatchObject(
      done(new RegExp(`^${payment}  submitted  deposit  25 USD `), /^1 shown/),
    );
  });

  it('a webhook is created, listed, moved, given another secret and removed', async () => {
    const created = await call(
      'webhooks',
      'create',
      'http://127.0.0.1:1/in',
      '--events',
      'trade, market.created',
    );
    expect(created).toMatchObject(
      done(
        /^\d+ {2}enabled {2}http:\/\/127.0.0.1:1\/in {2}trade,market.created {2}0 facts/,
        /^secret whsec_/,
      ),
    );
    const id = /^\d+/.exec(created.printed[0] ?? '')?.[0] ?? '';
    const moved = await call('webhooks', 'replay', id, '--seq', '1');
    expect(moved).toMatchObject(done(new RegExp(`^${id}  enabled .* [1-9]\\d* facts behind`)));
    expect(await call('webhooks', 'enable', id)).toMatchObject(done(/ {2}enabled {2}/));
    const rotated = await call('webhooks', 'rotate', id, '--overlap-seconds', '0');
    expect(rotated.printed[1]).toMatch(/^secret whsec_/);
    expect(rotated.printed[1]).not.toBe(created.printed[1]);
    const listed = await call('webhooks', 'list');
    expect(listed.printed.join()).not.toContain('whsec_');
    expect(listed).toMatchObject(done(/127.0.0.1:1/, /^1 of 1$/));
    expect(await call('webhooks', 'deliveries', id)).toMatchObject({ exitCode: 0, told: [] });
    expect(await call('webhooks', 'remove', id)).toMatchObject(done(new RegExp(`^removed webhook ${id}$`)));
    expect(await call('webhooks', 'remove', id)).toMatchObject(refused(/^error: There is no such webhook/));
  });

  it('a consumer is listed, moved and removed, and its parked facts are tried again or skipped', async () => {
    const name = `books-${number}`;
    const failing = (): never => {
      throw new Error('\u001b[31mno\npen');
    };
    const handle = await service.pm.consume(name, failing, { from: 'now', attempts: 1 });
    await service.fund(wallet(940), 1);
    await service.fund(wallet(940), 1);
    await service.pm.runJobs();
    expect(await call('consumers', 'remove', name)).toMatchObject(refused(/^error: An instance works on/));
    await handle.stop();
    const { parked } = jsonOf<{ parked: { id: string }[] }>(
      await call('consumers', 'parked', name, '--json'),
    );
    expect(parked).toHaveLength(2);
    const [first = '', second = ''] = parked.map(({ id }) => id);
    expect(await call('consumers', 'list')).toMatchObject(
      done(/^books-\d {2}idle .* 2 parked {2}Error: {2}\[31mno pen$/),
    );
    expect(await call('consumers', 'skip', name, first)).toMatchObject(done(/1 parked/));
    expect(await call('consumers', 'redo', name)).toMatchObject(done(/1 parked/));
    expect(await call('consumers', 'parked', name)).toMatchObject(
      done(new RegExp(`^${second}  balance .* is tried once more `), /^1 of 1$/),
    );
    expect(await call('consumers', 'redo', name, '--fact', first)).toMatchObject(
      refused(/^error: There is no such parked fact/),
    );
    expect(await call('consumers', 'resume', name)).toMatchObject(refused(/^error: give --from or --seq$/));
    expect(await call('consumers', 'resume', name, '--seq', '1')).toMatchObject(done(/ at \S+:0, /));
    expect(await call('consumers', 'resume', name, '--from', 'now')).toMatchObject(done(/ 0 facts behind/));
    expect(await call('consumers', 'remove', name)).toMatchObject(done(/^removed consumer books/));
    expect(await call('consumers', 'list')).toMatchObject(done(/^no consumers$/));
  });

  it("the operators' log shows what was done, page by page", async () => {
    const id = await createMarket(service, creator, { question: `Is ${number} odd?` });
    await call('markets', 'resolve', String(id), 'VOID', '--note', 'Two\nlines.');
    await call('deposits', 'add', wallet(941).address, '0.000001', '--reference', `logged ${number}`);
    const resolved = await call('log', '--action', 'market.resolve', '--limit', '1');
    expect(resolved.printed[0]).toMatch(
      / {2}(host|operator) {2}market.resolve {2}\d+ \(Is \d odd\?\) .*"Two\\nlines."/,
    );
    expect(await call('log', '--limit', '1')).toMatchObject(
      done(/ {2}account.deposit {2}0x\w+ {2}\{"amount":0.000001,.*\}$/, /^1 shown; --offset 1 shows more$/),
    );
    const second = await call('log', '--limit', '1', '--offset', '1');
    expect(second.printed[0]).toContain('  market.resolve  ');
    expect(await call('log', '--action', 'nothing')).toMatchObject({ exitCode: 2, printed: [] });
  });
});

it('the alarms of a server are listed, and no database has any', async () => {
  await service.pm.runJobs();
  expect(await onServer('alarms')).toMatchObject(done(/^no alarms on this instance$/));
  const handle = await service.pm.consume('parks', () => Promise.reject(new Error('no pen')), {
    ...{ from: 'now', attempts: 1 },
  });
  await service.fund(wallet(942), 1);
  await service.pm.runJobs();
  await handle.stop();
  expect(await onServer('alarms')).toMatchObject(
    done(/^consumer-parked {2}consumer parks {2}since \S+Z {2}\S/),
  );
  expect(await onDatabase('alarms')).toMatchObject(
    refused(/^error: alarms needs --url: only a running server can say which alarms it has$/),
  );
  expect(await onDatabase('withdrawals', 'fail', '1', '--reason', 'r')).toMatchObject(
    refused(/only a running server can look up what became of the money$/),
  );
  await service.pm.removeConsumer('parks');
});

async function submittedPayment(): Promise<number> {
  const call = { ...DEPOSIT };
  const headers = await paymentFor(service, creator, call);
  await send(service, call, headers);
  const { payments } = await service.pm.listPayments({ status: 'submitted', limit: 1 });
  return payments[0]?.id ?? NaN;
}

async function sentWithdrawal(): Promise<number> {
  const owner = wallet(933);
  await service.fund(owner, 50);
  const { id } = await service.pm.requestWithdrawal({ wallet: owner.address, amount: 5 });
  await service.pm.runJobs();
  return id;
}

describe('a decision about money that only a server makes', () => {
  it('a withdrawal is confirmed or given back only if the payout does not pay it any more', async () => {
    const first = String(await sentWithdrawal());
    const fail = ['withdrawals', 'fail', first, '--reason', 'its nonce was used'];
    expect(await onServer(...fail)).toMatchObject(
      refused(/^error: .* sent less than an hour ago \(WITHDRAWAL/),
    );
    payout.progressWith({ status: 'pending', trouble: 'its key was replaced' });
    expect(await onServer(...fail)).toMatchObject(done(new RegExp(`^${first}  failed  5 USD `)));
    expect(await onServer(...fail)).toMatchObject(done(new RegExp(`^${first}  failed  5 USD `)));
    const ofOwner = ['accounts', 'withdrawals', wallet(933).address];
    for (const call of [onDatabase, onServer])
      expect(await call(...ofOwner)).toMatchObject(
        done(new RegExp(`^${first}  failed  5 USD .* transaction \\S+  its nonce was used$`), /^1 of 1$/),
      );
    const second = String(await sentWithdrawal());
    expect(await onServer('withdrawals', 'confirm', second, '--transaction', HASH)).toMatchObject(
      done(new RegExp(`^${second}  confirmed  5 USD .* transaction ${HASH}$`)),
    );
  });

  it('a payment that the facilitator shows as settled is not rejected', async () => {
    const reject = (id: string): string[] => ['payments', 'reject', id, '--reason', 'not on the chain'];
    const settled = String(await submittedPayment());
    facilitator.lookupWith({ status: 'settled', transaction: HASH, spentAt: service.clock.now() / 1000 });
    expect(await onServer(...reject(settled))).toMatchObject(
      refused(/^error: The facilitator shows payment/),
    );
    facilitator.lookupWith({ status: 'unknown', reason: 'there is no chain to ask' });
    expect(await onServer(...reject(settled))).toMatchObject(refused(/ is (settled|delivered) by 0x/));
    expect(await onServer(...reject(String(await submittedPayment())))).toMatchObject(
      done(
        / {2}rejected .* transaction - {2}rejected by an operator: not on the chain$/,
        /^rejected while its authorization is valid: if it was not used yet, it may be used until \S+Z$/,
      ),
    );
    const other = String(await submittedPayment());
    const confirm = ['payments', 'confirm', other, '--reason', 'seen', '--transaction', HASH];
    expect(await onServer(...confirm)).toMatchObject(
      done(/ {2}(settled|delivered) .*confirmed by an operator: seen$/),
    );
  });

  it('what does not exist is named', async () => {
    expect(await onServer('withdrawals', 'fail', '99', '--reason', 'x')).toMatchObject(
      refused(/^error: There is no withdrawal 99 \(NOT_FOUND\)$/),
    );
    expect(await onServer('payments', 'reject', '99', '--reason', 'x')).toMatchObject(
      refused(/^error: There is no payment 99 \(NOT_FOUND\)$/),
    );
  });
});

it('a command on the database keeps to WEBHOOK_ALLOW_PRIVATE', async () => {
  expect(await runWith({}, ['webhooks', 'create', 'http://127.0.0.1/'])).toMatchObject(
    refused(/^error: url must be /),
  );
});

it('the API answers 404 in other words for an unknown address than for a missing row', async () => {
  const { meaning } = ERROR_TABLE.NOT_FOUND;
  const answer = await service.call('get', '/api/v2/nothing');
  expect(answer.body).toMatchObject({ code: 'NOT_FOUND', message: meaning.slice(0, -1) });
});
