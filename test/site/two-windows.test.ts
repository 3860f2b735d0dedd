import fc from 'fast-check';
import { PredictionMarketApiError } from '../../src/client/errors';
import type { ExecutedTrade } from '../../src/client';
import { pendingPlace } from '../../site/browser/pending';
import { orderSender } from '../../site/browser/ticket/order-sender';
import { pendingOrdersOf, type PendingOrder } from '../../site/browser/ticket/pending-order';
import { browser } from './windows';

const WALLET = '0xab';
const RUNS = { numRuns: 300 };
const steps = fc.array(fc.constantFrom('click', 'look', 'reload'), { minLength: 1, maxLength: 5 });
const answers = fc.array(fc.constantFrom('executed', 'refused', 'lost'), { minLength: 1, maxLength: 10 });

const refusal = (): PredictionMarketApiError =>
  Object.assign(Object.create(PredictionMarketApiError.prototype) as PredictionMarketApiError, {
    name: 'PredictionMarketApiError',
    outcome: 'refused',
    errors: [],
    details: null,
  });

describe.each([true, false])('two windows (the browser has locks: %s)', (hasLocks) => {
  it('never have two orders under way whose outcome is not known', async () => {
    let lost = 0;
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), steps, steps, answers, async (scheduler, one, other, ends) => {
        const turn = (): Promise<void> => scheduler.schedule(Promise.resolve());
        const shared = browser(turn, hasLocks);
        let orders = 0;
        let copies = 0;
        const open = new Set<string>();
        const beside: string[] = [];
        const decided = new Map<string, string>();

        async function place({ idempotencyKey }: PendingOrder): Promise<ExecutedTrade> {
          if (!decided.has(idempotencyKey)) open.add(idempotencyKey);
          beside.push(...[...open].filter((key) => key !== idempotencyKey));
          const end = ends[(copies += 1) % ends.length] ?? 'lost';
          await turn();
          if (end === 'lost') throw new Error('no answer');
          const decision = decided.get(idempotencyKey) ?? end;
          decided.set(idempotencyKey, decision);
          open.delete(idempotencyKey);
          if (decision === 'refused') throw refusal();
          return {} as ExecutedTrade;
        }
        const fresh = (): PendingOrder => ({
          order: { side: 'YES', action: 'buy', size: 5 },
          body: { side: 'YES', action: 'buy', amount: 5, minShares: 9 },
          idempotencyKey: `order ${(orders += 1)}`,
          sentAt: Date.now(),
        });
        async function use(list: readonly string[]): Promise<void> {
          const stored = pendingOrdersOf(shared.open(), '7');
          let sender = orderSender(stored, place);
          for (const step of list) {
            await turn();
            if (step === 'reload') sender = orderSender(stored, place);
            sender.look(WALLET);
            if (step !== 'click') continue;
            const failed = await sender.send(WALLET, fresh).then(
              () => null,
              (error: unknown) => error as Error,
            );
            if (failed?.message.startsWith('Another window') === true) lost += 1;
          }
        }
        await scheduler.waitFor(Promise.all([use(one), use(other)]));
        expect(beside).toEqual([]);
      }),
      RUNS,
    );
    expect(lost).toBeGreaterThan(5);
  });

  it('clear only what they have sent themselves', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.nat(3), fc.nat(3), async (scheduler, one, other) => {
        const turn = (): Promise<void> => scheduler.schedule(Promise.resolve());
        const shared = browser(turn, hasLocks);
        let under: string | null = null;
        async function use(name: string, times: number): Promise<void> {
          const place = pendingPlace<{ id: string }>(shared.open(), 'deposit', ({ id }) => id !== undefined);
          for (let count = 0; count < times; count += 1) {
            await turn();
            const mine = { id: `${name} ${count}` };
            if (!(await place.replace(WALLET, null, mine))) continue;
            expect(under).toBeNull();
            under = mine.id;
            await turn();
            expect(place.get(WALLET)).toEqual(mine);
            under = null;
            await place.replace(WALLET, mine, null);
          }
        }
        await scheduler.waitFor(Promise.all([use('one', one), use('other', other)]));
      }),
      RUNS,
    );
  });
});
