/** Deposits by a payment of the wallet, and withdrawals to the wallet. */
import { createClient, newIdempotencyKey, type SentPayment } from '../../../src/client';
import { isPredictionMarketApiError } from '../../../src/client/errors';
import type { Withdrawal } from '../../../src/client/api.generated';
import { apiUrl, client } from '../client';
import { timers } from '../live';
import { loads } from '../loads';
import { isKeyKnown, pendingPlace } from '../pending';
import { element, find, localTime, messageOf, onSubmit, say, show, text, usd } from '../page';
import { currentSession, refreshSession } from '../session';
import { signerOfSession } from '../signing';
import { table } from '../table';

interface PendingDeposit {
  amount: number;
  payment: SentPayment;
}

interface PendingWithdrawal {
  amount: number;
  idempotencyKey: string;
  /** Older pages did not store it. Without it the withdrawal counts as old. */
  sentAt: number;
}

const deposits = pendingPlace<PendingDeposit>(
  localStorage,
  'deposit',
  ({ amount, payment }) => typeof amount === 'number' && typeof payment === 'object' && payment !== null,
);
const withdrawals = pendingPlace<PendingWithdrawal>(
  localStorage,
  'withdrawal',
  ({ amount, idempotencyKey }) => typeof amount === 'number' && typeof idempotencyKey === 'string',
);

function ownAddress(): string {
  const session = currentSession();
  if (session === null) throw new Error('Connect first.');
  return session.address;
}

/** Amounts have two kinds of separators in the world; the API takes at most six decimals. */
function amountOf(fields: FormData): number {
  const typed = text(fields, 'amount').replace(/[\s$]/g, '');
  const amount = Number(typed);
  if (!/^\d+(\.\d{1,6})?$/.test(typed) || amount <= 0)
    throw new Error('Write the amount in USD with digits, such as 25 or 25.50.');
  return amount;
}

const hasUnknownOutcome = (error: unknown): boolean =>
  !isPredictionMarketApiError(error) || error.outcome === 'unknown';

/** Shows whether something is under way: its amount is fixed then, and the form sends the same again. */
function showPending(form: HTMLFormElement, amount: number | null, verbs: [string, string]): void {
  const input = find<HTMLInputElement>('[name=amount]', form);
  const button = find('button.primary', form);
  if (input !== null) {
    if (amount !== null) input.value = String(amount);
    input.readOnly = amount !== null;
  }
  button?.replaceChildren(amount === null ? verbs[0] : verbs[1]);
  show(find('[data-forget-pending]', form), amount !== null);
}

const DEPOSIT_UNKNOWN =
  'It is not known yet whether this payment was made. Send the same payment again: it is charged once at most.';

export function startDeposit(form: HTMLFormElement): () => void {
  const draw = (): void => {
    const session = currentSession();
    const pending = session === null ? null : deposits.get(session.address);
    showPending(form, pending?.amount ?? null, ['Sign and deposit', 'Send the same payment again']);
    if (pending !== null) say(find('[data-message]', form), DEPOSIT_UNKNOWN, 'bad');
  };
  const message = find('[data-message]', form);
  onSubmit(form, async (fields) => {
    const address = ownAddress();
    const again = deposits.get(address);
    try {
      const receipt = await (again === null
        ? signAndDeposit(address, amountOf(fields), (step) => say(message, step))
        : client.paid.deposit(again.amount, { payment: again.payment }));
      deposits.clear(address);
      form.reset();
      await refreshSession().catch(() => undefined);
      const transaction = receipt.receipt === null ? '' : ` Transaction: ${receipt.receipt.transaction}`;
      return `${usd(receipt.answer.amount)} arrived.${transaction}`;
    } catch (error) {
      if (!hasUnknownOutcome(error)) deposits.clear(address);
      else if (deposits.get(address) !== null)
        throw new Error(`${messageOf(error)} ${DEPOSIT_UNKNOWN}`, { cause: error });
      throw error;
    } finally {
      showPending(form, deposits.get(address)?.amount ?? null, [
        'Sign and deposit',
        'Send the same payment again',
      ]);
    }
  });
  startForgetting(form, deposits.clear, draw);
  return draw;
}

async function signAndDeposit(address: string, amount: number, step: (text: string) => void) {
  const signer = signerOfSession();
  step('Confirm the payment in your wallet…');
  const { network, asset } = await client.paid.info();
  const paying = createClient({
    baseUrl: apiUrl,
    payWith: signer,
    paymentTokens: [{ network, asset }],
    fetch: (url, init) => {
      const value = new Headers(init?.headers).get('X-PAYMENT');
      if (value !== null) {
        deposits.set(address, { amount, payment: { header: 'X-PAYMENT', value } });
        step('The payment is being settled…');
      }
      return fetch(url, init);
    },
  });
  return paying.paid.deposit(amount);
}

const WITHDRAWAL_UNKNOWN =
  'It is not known yet whether this withdrawal was accepted. Send it again: it is paid once at most.';
const WITHDRAWAL_TOO_OLD =
  'It is not known whether this withdrawal was accepted, and it is too old to be sent again. Look for it in the ' +
  'list of your withdrawals, and then forget it here.';
const WITHDRAWAL_LABEL = 'Website, for one withdrawal';

export function startWithdraw(form: HTMLFormElement, reload: () => void): () => void {
  const draw = (): void => {
    const session = currentSession();
    const pending = session === null ? null : withdrawals.get(session.address);
    showPending(form, pending?.amount ?? null, ['Sign and withdraw', 'Send the same withdrawal again']);
    if (pending === null) return;
    const mayBeRepeated = isKeyKnown(pending.sentAt);
    say(find('[data-message]', form), mayBeRepeated ? WITHDRAWAL_UNKNOWN : WITHDRAWAL_TOO_OLD, 'bad');
  };
  onSubmit(form, async (fields) => {
    const address = ownAddress();
    const stored = withdrawals.get(address);
    if (stored !== null && !isKeyKnown(stored.sentAt)) throw new Error(WITHDRAWAL_TOO_OLD);
    const wish = stored ?? {
      amount: amountOf(fields),
      idempotencyKey: newIdempotencyKey(),
      sentAt: Date.now(),
    };
    const withdrawing = await clientThatWithdraws();
    withdrawals.set(address, wish);
    try {
      const { amount } = await withdrawing.withdrawals.request(wish.amount, {
        idempotencyKey: wish.idempotencyKey,
      });
      withdrawals.clear(address);
      form.reset();
      await refreshSession().catch(() => undefined);
      return `${usd(amount)} is on its way. Follow it in the list.`;
    } catch (error) {
      if (!hasUnknownOutcome(error)) {
        withdrawals.clear(address);
        throw error;
      }
      throw new Error(`${messageOf(error)} ${WITHDRAWAL_UNKNOWN}`, { cause: error });
    } finally {
      showPending(form, withdrawals.get(address)?.amount ?? null, [
        'Sign and withdraw',
        'Send the same withdrawal again',
      ]);
      reload();
    }
  });
  startForgetting(form, withdrawals.clear, draw);
  return draw;
}

/**
 * The key of this browser may not withdraw, so that a stolen key moves no money. The wallet signs for another key,
 * which only this withdrawal uses: the page does not store it, and the next one replaces it.
 */
async function clientThatWithdraws(): Promise<Pick<typeof client, 'withdrawals'>> {
  const { scopes } = await client.account.limits();
  if (scopes.includes('account:withdraw')) return client;
  const other = createClient({ baseUrl: apiUrl, serviceUrl: null });
  await other.connectWallet(signerOfSession(), {
    label: WITHDRAWAL_LABEL,
    replace: true,
    scopes: ['account:withdraw'],
    format: 'siwe',
  });
  return other;
}

function startForgetting(form: HTMLFormElement, clear: (address: string) => void, draw: () => void): void {
  find('[data-forget-pending]', form)?.addEventListener('click', () => {
    clear(ownAddress());
    form.reset();
    say(find('[data-message]', form), 'Forgotten here. Your balance shows whether it was carried out.');
    draw();
  });
}

const STATES: Record<Withdrawal['status'], string> = {
  pending: 'Requested',
  sent: 'Sending, not final yet',
  confirmed: 'Paid',
  failed: 'Failed; the amount is available again',
};
const REFRESH_MS = 5_000;

/** The list of withdrawals. While one is under way it is read again every few seconds. */
export function startWithdrawals(list: HTMLElement): () => void {
  let cancel: () => void = () => undefined;
  const load = loads(
    list,
    async () => (await client.withdrawals.list({ limit: 20 })).withdrawals,
    (rows) => {
      cancel();
      if (rows.some(({ status }) => status === 'pending' || status === 'sent'))
        cancel = timers.after(REFRESH_MS, () => void (currentSession() !== null && load()));
      return rows.length === 0
        ? [element('p', { class: 'muted' }, 'No withdrawals yet.')]
        : [withdrawalTable(rows)];
    },
  );
  return () => void load();
}

function withdrawalTable(rows: readonly Withdrawal[]): HTMLElement {
  return table('The newest withdrawals', rows, [
    { title: 'Requested', cell: ({ createdAt }) => localTime(createdAt) },
    { title: 'Amount', number: true, cell: ({ amount }) => usd(amount) },
    { title: 'State', cell: ({ status }) => STATES[status] },
    {
      title: 'Transaction',
      cell: ({ transaction }) => element('span', { class: 'mono transaction' }, transaction ?? ''),
    },
  ]);
}
