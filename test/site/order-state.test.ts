import fc from 'fast-check';
import type { ApiErrorCode } from '../../src/client';
import { outcomeOf, type Failure } from '../../src/client/repeat';
import { maySendAgain, nextState, type Keyed, type OrderState } from '../../site/browser/ticket/order-state';
import { pendingOrdersOf, type PendingOrder } from '../../site/browser/ticket/pending-order';
import { oneWindow } from './windows';

const NOW = 1_800_000_000_000;
const refusal = (code: ApiErrorCode): Failure => ({
  kind: 'refused',
  code,
  status: code === 'RATE_LIMIT_EXCEEDED' ? 429 : 409,
  message: '',
  headers: new Headers(),
  body: {},
});
const LOST: Failure = {
  kind: 'lost',
  code: 'TIMEOUT',
  status: 0,
  message: '',
  headers: null,
  body: null,
  cause: null,
};

type Step =
  | 'click'
  | 'reload'
  | 'look'
  | 'put aside'
  | 'copy arrives late'
  | 'executed'
  | 'executed, answer lost'
  | 'held up'
  | 'SLIPPAGE_EXCEEDED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'VALIDATION_ERROR';
const STEPS: Step[] = [
  'click',
  'reload',
  'look',
  'put aside',
  'copy arrives late',
  'executed',
  'executed, answer lost',
  'held up',
  'SLIPPAGE_EXCEEDED',
  'RATE_LIMIT_EXCEEDED',
  'VALIDATION_ERROR',
];

interface Model {
  heldUp: string[];
  executed: Set<string>;
  malformed: Set<string>;
  aside: Set<string>;
}

const canStillTrade = ({ heldUp, executed, malformed, aside }: Model): string[] =>
  heldUp.filter((key) => !executed.has(key) && !malformed.has(key) && !aside.has(key));

it('the order form is never free while a copy can still trade, unless the trader has put the order aside', () => {
  let released = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STEPS), { minLength: 20, maxLength: 60 }), (steps) => {
      let state: OrderState<Keyed> = { kind: 'free' };
      let stored: Keyed | null = null;
      let clicks = 0;
      let copies = 0;
      const model: Model = { heldUp: [], executed: new Set(), malformed: new Set(), aside: new Set() };

      const end = (failure: Failure | null): void => {
        const outcome = failure === null ? 'executed' : outcomeOf(failure, 'keyed', copies > 1);
        state = nextState(state, { type: outcome === 'unknown' ? 'lost' : outcome });
        if (outcome !== 'unknown') stored = null;
      };

      for (const step of steps) {
        const kind: OrderState<Keyed>['kind'] = state.kind;
        const key: string | null = state.kind === 'free' ? null : state.pending.idempotencyKey;
        const isAnswered = model.executed.has(key ?? '');
        if (step === 'click') {
          const fresh = { idempotencyKey: `key ${(clicks += 1)}`, sentAt: NOW };
          state = nextState(state, { type: 'click', fresh, now: NOW });
          if (kind === 'free') [stored, copies] = [fresh, 1];
          else if (kind === 'unknown') copies += 1;
          if (key !== null) expect(state).toMatchObject({ pending: { idempotencyKey: key } });
        } else if (step === 'reload') {
          // The service may still execute a copy that was sent before the page was loaded again.
          if (kind === 'sending' && key !== null) model.heldUp.push(key);
          state = nextState<Keyed>({ kind: 'free' }, { type: 'found', pending: stored });
        } else if (step === 'look') {
          state = nextState(state, { type: 'found', pending: stored });
          expect(state.kind).toBe(kind);
        } else if (step === 'put aside') {
          state = nextState(state, { type: 'put-aside' });
          if (kind === 'unknown' && key !== null) {
            model.aside.add(key);
            stored = null;
          }
        } else if (step === 'copy arrives late') {
          const arrived = model.heldUp.shift();
          if (arrived !== undefined && !model.malformed.has(arrived)) model.executed.add(arrived);
        } else if (kind === 'sending' && key !== null) {
          if (step === 'held up') {
            model.heldUp.push(key);
            end(LOST);
          } else if (isAnswered) end(null);
          else if (model.malformed.has(key)) end(refusal('VALIDATION_ERROR'));
          else if (step === 'executed' || step === 'executed, answer lost') {
            model.executed.add(key);
            end(step === 'executed' ? null : LOST);
          } else {
            // The answer to the first copy of an order decides whether the order is malformed.
            if (step === 'VALIDATION_ERROR' && copies === 1) model.malformed.add(key);
            if (step !== 'VALIDATION_ERROR' || copies === 1) end(refusal(step));
          }
        }
        if (state.kind === 'free') {
          expect(canStillTrade(model)).toEqual([]);
          if (kind !== 'free') released += 1;
        } else expect(stored).toEqual(state.pending);
      }
    }),
    { numRuns: 500 },
  );
  expect(released).toBeGreaterThan(100);
});

it('the order form sends an order again only while the service remembers its key', () => {
  const sent = (sentAt: number): OrderState<Keyed> => ({
    kind: 'unknown',
    pending: { idempotencyKey: 'key', sentAt },
  });
  const fresh = { idempotencyKey: 'other', sentAt: NOW };
  const old = sent(NOW - 25 * 3_600_000);
  expect([maySendAgain(sent(NOW), NOW), maySendAgain(old, NOW)]).toEqual([true, false]);
  expect(nextState(old, { type: 'click', fresh, now: NOW })).toBe(old);
});

describe('a stored order', () => {
  const texts = new Map<string, string>();
  const orders = pendingOrdersOf(oneWindow(texts), '7');
  const pending: PendingOrder = {
    order: { side: 'NO', action: 'buy', size: 5 },
    body: { side: 'NO', action: 'buy', amount: 5, minShares: 9 },
    idempotencyKey: 'one',
    sentAt: NOW,
  };
  beforeEach(() => texts.clear());

  it.each(['{', 'null', '7', '{}', '{"order":null,"body":{},"idempotencyKey":"a"}'])(
    'of the text %s counts as none',
    (text) => {
      texts.set('prediction-market.pending-order.7.0xab', text);
      expect(orders.get('0xAB')).toBeNull();
    },
  );

  it('is cleared by the window that knows it, because another one may have stored a newer one', async () => {
    await orders.replace('0xAB', null, pending);
    await orders.replace('0xab', { ...pending, idempotencyKey: 'another' }, null);
    expect(orders.get('0xab')).toEqual(pending);
    await orders.replace('0xab', pending, null);
    expect(orders.get('0xab')).toBeNull();
  });

  it('that cannot be stored is not sent', async () => {
    const { storage, ...rest } = oneWindow();
    const setItem = (): void => {
      throw new Error('quota');
    };
    const full = pendingOrdersOf({ ...rest, storage: { ...storage, setItem } }, '7');
    await expect(full.replace('0xab', null, pending)).rejects.toThrow('was not sent');
  });
});
