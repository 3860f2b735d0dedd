/** A payment, its operator and a plain model of the chain: what is credited is what the chain shows as paid. */
import fc from 'fast-check';
import { memoryStorage } from '../../adapters/storage/memory';
import { isPredictionMarketError } from '../../src/domain/errors';
import type { Facilitator, LookupResult, Payment } from '../../src/ports/facilitator';
import { fakeFacilitator } from '../../testing/fake-facilitator';
import { startService, wallet, type Service } from '../http/support/service';
import { DEPOSIT, paymentFor, send } from './support/calls';

const payer = wallet(877);
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const TRANSACTION = `0x${'5e'.repeat(32)}`;
/** `paymentFor` signs for 300 seconds, and a block may show the transfer two minutes later. */
const WINDOW_MS = 300 * SECOND_MS;
const PAST_MS = WINDOW_MS + 120 * SECOND_MS;

type Sight = 'clear' | 'away' | 'untimed';
type Event =
  { kind: 'present' | 'mine' | 'reject' } | { kind: 'jobs'; after: number } | { kind: 'see'; sight: Sight };

const EVENT: fc.Arbitrary<Event> = fc.oneof(
  fc.constantFrom<Event>({ kind: 'present' }, { kind: 'mine' }, { kind: 'reject' }, { kind: 'present' }),
  fc.record({ kind: fc.constant('jobs' as const), after: fc.integer({ min: 1, max: 180 }) }),
  fc.record({
    kind: fc.constant('see' as const),
    sight: fc.constantFrom<Sight>('clear', 'away', 'untimed'),
  }),
);

/** What the chain knows of one authorization, and what its node shows. */
interface Chain {
  signedAt: number;
  spentAt: number | null;
  sight: Sight;
  settleAnswers: boolean;
}

/** The transfer may be mined before the payer presents the authorization, and the node may not show when. */
const BEGINNING: fc.Arbitrary<Event[]> = fc.constantFrom<Event[]>(
  [{ kind: 'present' }],
  [{ kind: 'see', sight: 'away' }, { kind: 'present' }],
  [{ kind: 'mine' }, { kind: 'jobs', after: 1 }, { kind: 'see', sight: 'untimed' }, { kind: 'present' }],
);

let service: Service;
/** One for each nonce. */
const chains = new Map<string, Chain>();

const chainOf = ({ authorization }: Payment): Chain => {
  const chain = chains.get(authorization.nonce);
  if (chain === undefined) throw new Error('the authorization is unknown');
  return chain;
};
const nowSeconds = (): number => Math.floor(service.clock.now() / SECOND_MS);
const isOver = ({ signedAt }: Chain): boolean => service.clock.now() >= signedAt + WINDOW_MS;

function mine(chain: Chain): void {
  if (chain.spentAt === null && !isOver(chain)) chain.spentAt = nowSeconds();
}

function lookUp(chain: Chain): LookupResult {
  const { spentAt, sight } = chain;
  if (sight === 'away') return { status: 'unknown', reason: 'no node' };
  if (spentAt !== null && sight === 'untimed') return { status: 'settled', transaction: TRANSACTION };
  const asOf = nowSeconds();
  if (spentAt !== null) return { status: 'settled', transaction: TRANSACTION, spentAt, asOf };
  return isOver(chain) ? { status: 'invalid', reason: 'expired' } : { status: 'unused', asOf };
}

const facilitator: Facilitator = {
  ...fakeFacilitator(),
  async verify(payment) {
    const chain = chainOf(payment);
    if (chain.spentAt !== null) return { status: 'spent', reason: 'used' };
    return isOver(chain) ? { status: 'invalid', reason: 'expired' } : { status: 'valid' };
  },
  async settle(payment) {
    const chain = chainOf(payment);
    if (!chain.settleAnswers) return { status: 'unknown', reason: 'time-out' };
    if (chain.spentAt !== null) return { status: 'spent', reason: 'used' };
    mine(chain);
    return { status: 'settled', transaction: TRANSACTION };
  },
  lookup: async (payment) => lookUp(chainOf(payment)),
};

beforeAll(async () => {
  service = await startService({ storage: memoryStorage(), facilitator, jobIntervalMs: DAY_MS });
});
afterAll(() => service.close());

const newest = async () => (await service.pm.listPayments({ limit: 1 })).payments[0];
const balance = async (): Promise<number> =>
  (await service.pm.getAccount({ address: payer.address })).balance;

async function jobsAfter(seconds: number): Promise<void> {
  service.clock.advance(seconds * SECOND_MS);
  await service.pm.runJobs();
}

interface Nonce {
  nonce: string;
}

/**
 * `presentedAt`: the Unix time of the first presentation, in seconds. `isLate`: an operator rejected the payment when
 * no block could show a transfer any more.
 */
async function live(
  events: readonly Event[],
  chain: Chain,
): Promise<{ presentedAt: number | null; isLate: boolean }> {
  const headers = await paymentFor(service, payer, DEPOSIT);
  const { nonce } = JSON.parse(Buffer.from(headers['X-PAYMENT'] ?? '', 'base64').toString()) as Nonce;
  chains.set(nonce, chain);
  const before = (await newest())?.id;
  let presentedAt: number | null = null;
  let isLate = false;
  for (const event of events) {
    if (event.kind === 'mine') mine(chain);
    else if (event.kind === 'see') chain.sight = event.sight;
    else if (event.kind === 'jobs') await jobsAfter(event.after);
    else if (event.kind === 'present') {
      await send(service, DEPOSIT, headers);
      const payment = await newest();
      if (payment !== undefined && payment.id !== before)
        presentedAt ??= Math.floor(Date.parse(payment.createdAt) / SECOND_MS);
    } else isLate = (await rejectNewest(before, chain)) || isLate;
  }
  return { presentedAt, isLate };
}

async function rejectNewest(before: number | undefined, chain: Chain): Promise<boolean> {
  const payment = await newest();
  if (payment === undefined || payment.id === before || payment.status === 'rejected') return false;
  try {
    await service.pm.rejectPayment({ id: payment.id, reason: 'It looks lost.' });
  } catch (error) {
    if (!isPredictionMarketError(error)) throw error;
    return false;
  }
  return service.clock.now() >= chain.signedAt + PAST_MS;
}

it('a payment is credited once, and only if its transfer came after it was presented', async () => {
  const run = async (events: Event[], settleAnswers: boolean, lastSight: Sight): Promise<void> => {
    const had = await balance();
    const signedAt = service.clock.now();
    const chain: Chain = { signedAt, spentAt: null, sight: 'clear', settleAnswers };
    const { presentedAt, isLate } = await live(events, chain);
    if (chain.sight !== 'clear') chain.sight = lastSight;
    for (let day = 0; day < 4; day += 1) await jobsAfter(DAY_MS / SECOND_MS);
    const isPaid = presentedAt !== null && chain.spentAt !== null && chain.spentAt >= presentedAt;
    const credited = (await balance()) - had;
    if (!isPaid) expect(credited).toBe(0);
    else if (chain.sight === 'clear' && !isLate) expect(credited).toBe(25);
    else expect([0, 25]).toContain(credited);
  };
  const events = fc
    .tuple(BEGINNING, fc.array(EVENT, { minLength: 1, maxLength: 6 }))
    .map(([first, more]) => [...first, ...more]);
  await fc.assert(fc.asyncProperty(events, fc.boolean(), fc.constantFrom<Sight>('clear', 'untimed'), run), {
    numRuns: 25,
  });
  expect(await service.pm.audit()).toMatchObject({ ok: true });
});
