/** A bank in the memory of a test, a correct payout adapter that pays through it, and the hooks that make it fail. */
import type { Payout, PayoutOrder, PayoutState } from '../../../src/ports/payout';
import type { PayoutUnderTest } from '../../../testing';
import type { SilentForm } from '../../../testing/conformance/silence';

export const NOWHERE = `0x${'0'.repeat(40)}`;
/** The token of the bank. */
export const TOKEN = `0x${'ab'.repeat(20)}`;
const NETWORK = 'eip155:8453';
const MOST_UNDER_WAY = 4;
/** A text that no answer of a payout may contain. Some faulty payouts reveal it. */
export const SECRET = 'the-key-of-the-bank';

export interface Slip {
  /** Marks the states of the bank. */
  of: 'bank';
  /** The number of a payout. The bank pays each number once. */
  slot: number;
  /** 1, or 2 after the payout was renewed. Both have the same `slot`, so the bank pays only one of them. */
  offer: number;
  to: string;
  amount: string;
}

export class BankError extends Error {
  constructor(readonly status: number) {
    super(`the bank answered HTTP ${status}`);
  }
}

export class Bank {
  treasury = 1_000n;
  readonly received = new Map<string, bigint>();
  readonly slots = new Map<number, 'waiting' | 'paid' | 'overtaken' | 'failed'>();
  readonly waiting: Slip[] = [];
  isStalled = false;
  isHidden = false;
  isCut = false;
  losesAnswer = false;
  /** The HTTP status of every answer. */
  status = 200;
  /** What the bank sends before it stays silent; `null` while it answers. */
  silence: SilentForm | null = null;
  /** The address to which the bank redirects each request. */
  elsewhere: string | null = null;
  nonsense = (body: string): string => body;
  private newestSlot = 0;

  nextSlot(): number {
    this.newestSlot += 1;
    return this.newestSlot;
  }

  /** Pays without a check, even if the slip is paid already. */
  pay({ to, amount }: Pick<Slip, 'to' | 'amount'>): void {
    this.treasury -= BigInt(amount);
    this.received.set(to, (this.received.get(to) ?? 0n) + BigInt(amount));
  }

  /**
   * The object that an adapter reads when the bank answers with `value`. Throws if the bank is away or answers an
   * error.
   */
  answer(value: object): Record<string, unknown> {
    if (this.isCut || this.silence !== null || this.elsewhere !== null) throw new Error('the bank is away');
    if (this.status !== 200) throw new BankError(this.status);
    const body = JSON.stringify(value);
    const read: unknown = JSON.parse(this.nonsense(body));
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  }

  submit(slip: Slip): void {
    this.answer({});
    if (!this.slots.has(slip.slot)) {
      this.slots.set(slip.slot, 'waiting');
      this.waiting.push(slip);
    }
    if (!this.isStalled) this.work();
    if (!this.losesAnswer) return;
    this.losesAnswer = false;
    throw new Error('the answer is lost');
  }

  work(): void {
    for (const slip of this.waiting.splice(0)) {
      this.slots.set(slip.slot, 'paid');
      this.pay(slip);
    }
  }
}

export const slipOf = (state: PayoutState): Slip => JSON.parse(state) as Slip;

/** Whether the state is one of the bank, and not of another adapter. */
export function isOwn(state: PayoutState): boolean {
  try {
    const slip: unknown = slipOf(state);
    return typeof slip === 'object' && slip !== null && 'of' in slip && slip.of === 'bank';
  } catch {
    return false;
  }
}

export function soundPayout(bank: Bank): Payout {
  return {
    name: 'bank',
    atOnce: 3,
    async prepare({ to, amount, network, asset }, stored) {
      const outstanding = stored.filter(isOwn);
      if (to === NOWHERE) return { status: 'refused', reason: 'no such wallet' };
      if (network !== NETWORK || asset.toLowerCase() !== TOKEN)
        return { status: 'refused', reason: 'another token' };
      const treasury = treasuryOf(bank);
      if (treasury === null) return { status: 'unavailable', reason: 'the bank is away' };
      if (outstanding.length >= MOST_UNDER_WAY) return { status: 'busy' };
      const open = outstanding.map(slipOf).filter(({ slot }) => bank.slots.get(slot) !== 'paid');
      const owed = open.reduce((sum, slip) => sum + BigInt(slip.amount), 0n);
      if (treasury - owed < amount) return { status: 'unavailable', reason: 'the treasury is short' };
      const slip: Slip = { of: 'bank', slot: bank.nextSlot(), offer: 1, to, amount: String(amount) };
      return { status: 'prepared', state: JSON.stringify(slip), transaction: null };
    },
    submit: async (state) => bank.submit(slipOf(state)),
    async check(state) {
      if (!isOwn(state))
        return { status: 'pending', trouble: 'another adapter has prepared it', unknown: true };
      const slip = slipOf(state);
      const { status: known } = bank.answer({
        status: bank.isHidden ? 'unknown' : (bank.slots.get(slip.slot) ?? 'unknown'),
      });
      if (known === 'paid') return { status: 'confirmed', transaction: null };
      if (known === 'overtaken') return { status: 'lost', reason: 'another one took its slot' };
      if (known === 'failed') return { status: 'failed', transaction: null, reason: 'it bounced' };
      if (known === 'unknown') return { status: 'pending' };
      if (known !== 'waiting')
        return { status: 'pending', trouble: 'the bank says a word that is not known' };
      if (slip.offer > 1) return { status: 'pending' };
      return { status: 'renewed', state: JSON.stringify({ ...slip, offer: 2 }), transaction: null };
    },
  };
}

/** The balance that the bank answers. `null` if the answer cannot be read. */
function treasuryOf(bank: Bank): bigint | null {
  try {
    const { amount } = bank.answer({ amount: String(bank.treasury) });
    return typeof amount === 'string' && /^\d+$/.test(amount) ? BigInt(amount) : null;
  } catch {
    return null;
  }
}

export type PayoutFault = (sound: Payout, bank: Bank) => Partial<Payout>;

let wallets = 0;
function newWallet(): string {
  wallets += 1;
  return `0x${'cd'.repeat(10)}${String(wallets).padStart(20, '0')}`;
}

export function payoutWith(fault: PayoutFault): PayoutUnderTest {
  const bank = new Bank();
  const make = (): Payout => {
    const sound = soundPayout(bank);
    return { ...sound, ...fault(sound, bank) };
  };
  let id = 0;
  const order = (): PayoutOrder => {
    id += 1;
    return { id, to: newWallet(), amount: 10n, network: NETWORK, asset: TOKEN };
  };
  return {
    payout: make(),
    order,
    received: async ({ to }) => bank.received.get(to) ?? 0n,
    another: async () => make(),
    treasury: async () => bank.treasury,
    fund: async (amount) => void (bank.treasury += amount),
    unpayable: () => ({ ...order(), to: NOWHERE }),
    async stall() {
      bank.isStalled = true;
      return async () => {
        bank.isStalled = false;
        bank.work();
      };
    },
    overtake: async (state) => void bank.slots.set(slipOf(state).slot, 'overtaken'),
    fail: async (state) => void bank.slots.set(slipOf(state).slot, 'failed'),
    hide: async () => void (bank.isHidden = true),
    loseAnswer: async () => void (bank.losesAnswer = true),
    async failWith(status) {
      bank.status = status;
      return async () => void (bank.status = 200);
    },
    async garble(nonsense) {
      bank.nonsense = nonsense;
      return async () => void (bank.nonsense = (body) => body);
    },
    async redirect(address) {
      bank.elsewhere = address;
      return async () => void (bank.elsewhere = null);
    },
    async silence(form) {
      bank.silence = form;
      return async () => void (bank.silence = null);
    },
    cutOff: async () => void (bank.isCut = true),
    secrets: [SECRET],
    destroy: async () => undefined,
  };
}
