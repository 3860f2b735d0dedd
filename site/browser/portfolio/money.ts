/** Deposits by a payment of the wallet, and withdrawals to the wallet. */
import { createClient, newIdempotencyKey, type SentPayment } from '../../../src/client';
import { isPredictionMarketApiError } from '../../../src/client/errors';
import type { Withdrawal } from '../../../src/client/api.generated';
import { apiUrl, client } from '../client';
import { timers } from '../live';
import { loads } from '../loads';
import { IN_ANOTHER_WINDOW, isKeyKnown, pendingPlace, type PendingPlace } from '../pending';
import { element, find, localTime, messageOf, onSubmit, say, show, text, usd } from '../dom';
import { currentSession, refreshSession } from '../session';
import { signerOfSession } from '../signing';
import { table } from '../table';
import { windowsPlace } from '../windows-place';

interface PendingDeposit {
  amount: number;
  payment: SentPayment;
}

interface PendingWithdrawal {
  amount: number;
  idempotencyKey: string;
  /** Missing in a withdrawal that an older version of the pages has stored. Such a withdrawal counts as old. */
  sentAt: number;
}

const deposits = pendingPlace<PendingDeposit>(
  windowsPlace,
  'deposit',
  ({ amount, payment }) => typeof amount === 'number' && typeof payment === 'object' && payment !== null,
);
const withdrawals = pendingPlace<PendingWithdrawal>(
  windowsPlace,
  'withdrawal',
  ({ amount, idempotencyKey }) => typeof amount === 'number' && typeof idempotencyKey === 'string',
);

function ownAddress(): string {
  const session = currentSession();
  if (session === null) throw new Error('Connect first.');
  return session.address;
}

/**
 * A comma is refused, because in some countries it separates thousands, in others decimals. The API takes at most six
 * decimals.
 */
function amountOf(fields: FormData): number {
  const typed = text(fields, 'amount').replace(/[\s$]/g, '');
  const amount = Number(typed);
  if (!/^\d+(\.\d{1,6})?$/.test(typed) || amount <= 0)
    throw new Error('Write the amount in USD with digits, such as 25 or 25.50.');
  return amount;
}

const hasUnknownOutcome = (error: unknown): boolean =>
  !isPredictionMarketApiError(error) || error.outcome === 'unknown';

/** The form of deposits or of withdrawals, with at most one pending movement for each wallet. */
interface MoneyForm<Pending> {
  form: HTMLFormElement;
  place: PendingPlace<Pending>;
  verbs: [string, string];
  /** What the form says about a movement of unknown outcome. */
  words(pending: Pending): string;
}

/**
 * Returns a function that draws the form. While a movement is pending, the form shows it and its amount is fixed. The
 * form is also drawn when another window stores or ends a movement.
 */
function followPending<Pending extends { amount: number }>(money: MoneyForm<Pending>): () => void {
  const { form, place, verbs, words } = money;
  const message = find('[data-message]', form);
  let shown: Pending | null = null;
  function draw(): void {
    const session = currentSession();
    const pending = session === null ? null : place.get(session.address);
    const hasEnded = shown !== null && pending === null;
    shown = pending;
    const input = find<HTMLInputElement>('[name=amount]', form);
    if (input !== null) {
      if (pending !== null) input.value = String(pending.amount);
      input.readOnly = pending !== null;
    }
    find('button.primary', form)?.replaceChildren(verbs[pending === null ? 0 : 1]);
    show(find('[data-forget-pending]', form), pending !== null);
    if (pending !== null) say(message, words(pending), 'bad');
    else if (hasEnded) say(message, '');
  }
  find('[data-forget-pending]', form)?.addEventListener('click', () => {
    // Another window may have stored another movement since. So only the movement that this form shows is removed.
    void place.replace(ownAddress(), shown, null).then((isForgotten) => {
      form.reset();
      draw();
      if (isForgotten) say(message, 'Forgotten here. Your balance shows whether it was carried out.');
    });
  });
  addEventListener('storage', draw);
  return draw;
}

const DEPOSIT_UNKNOWN =
  'It is not known yet whether this payment was made. Send the same payment again: it is charged once at most.';

export function startDeposit(form: HTMLFormElement): () => void {
  const draw = followPending<PendingDeposit>({
    form,
    place: deposits,
    verbs: ['Sign and deposit', 'Send the same payment again'],
    words: () => DEPOSIT_UNKNOWN,
  });
  const message = find('[data-message]', form);
  onSubmit(form, async (fields) => {
    const address = ownAddress();
    let sent = deposits.get(address);
    try {
      const receipt = await (sent === null
        ? signAndDeposit(
            address,
            amountOf(fields),
            (step) => say(message, step),
            (pending) => (sent = pending),
          )
        : client.paid.deposit(sent.amount, { payment: sent.payment }));
      await deposits.replace(address, sent, null);
      form.reset();
      await refreshSession().catch(() => undefined);
      const transaction = receipt.receipt === null ? '' : ` Transaction: ${receipt.receipt.transaction}`;
      return `${usd(receipt.answer.amount)} arrived.${transaction}`;
    } catch (error) {
      if (!hasUnknownOutcome(error)) await deposits.replace(address, sent, null);
      else if (deposits.get(address) !== null)
        throw new Error(`${messageOf(error)} ${DEPOSIT_UNKNOWN}`, { cause: error });
      throw error;
    } finally {
      draw();
    }
  });
  return draw;
}

/** `stored` is called with the payment before it is sent. */
async function signAndDeposit(
  address: string,
  amount: number,
  step: (text: string) => void,
  stored: (pending: PendingDeposit) => void,
) {
  const signer = signerOfSession();
  step('Confirm the payment in your wallet…');
  const { network, asset } = await client.paid.info();
  let isAnother = false;
  /** The payment that the last attempt has stored, which the next attempt replaces. */
  let before: PendingDeposit | null = null;
  const paying = createClient({
    baseUrl: apiUrl,
    payWith: signer,
    paymentTokens: [{ network, asset }],
    fetch: async (url, init) => {
      const value = new Headers(init?.headers).get('X-PAYMENT');
      if (value !== null) {
        const pending: PendingDeposit = { amount, payment: { header: 'X-PAYMENT', value } };
        isAnother = !(await deposits.replace(address, before, pending));
        if (isAnother) throw new Error(IN_ANOTHER_WINDOW);
        before = pending;
        stored(pending);
        step('The payment is being settled…');
      }
      return fetch(url, init);
    },
  });
  return paying.paid.deposit(amount).catch((error: unknown) => {
    throw isAnother ? new Error(IN_ANOTHER_WINDOW, { cause: error }) : error;
  });
}

const WITHDRAWAL_UNKNOWN =
  'It is not known yet whether this withdrawal was accepted. Send it again: it is paid once at most.';
const WITHDRAWAL_TOO_OLD =
  'It is not known whether this withdrawal was accepted, and it is too old to be sent again. Look for it in the ' +
  'list of your withdrawals, and then forget it here.';
const WITHDRAWAL_LABEL = 'Website, for one withdrawal';

export function startWithdraw(form: HTMLFormElement, reload: () => void): () => void {
  const draw = followPending<PendingWithdrawal>({
    form,
    place: withdrawals,
    verbs: ['Sign and withdraw', 'Send the same withdrawal again'],
    words: ({ sentAt }) => (isKeyKnown(sentAt) ? WITHDRAWAL_UNKNOWN : WITHDRAWAL_TOO_OLD),
  });
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
    try {
      if (!(await withdrawals.replace(address, stored, wish))) throw new Error(IN_ANOTHER_WINDOW);
      await requestWithdrawal(withdrawing, address, wish);
      form.reset();
      await refreshSession().catch(() => undefined);
      return `${usd(wish.amount)} is on its way. Follow it in the list.`;
    } finally {
      draw();
      reload();
    }
  });
  return draw;
}

async function requestWithdrawal(
  withdrawing: Pick<typeof client, 'withdrawals'>,
  address: string,
  wish: PendingWithdrawal,
): Promise<void> {
  const { amount, idempotencyKey } = wish;
  try {
    await withdrawing.withdrawals.request(amount, { idempotencyKey });
  } catch (error) {
    if (hasUnknownOutcome(error))
      throw new Error(`${messageOf(error)} ${WITHDRAWAL_UNKNOWN}`, { cause: error });
    await withdrawals.replace(address, wish, null);
    throw error;
  }
  await withdrawals.replace(address, wish, null);
}

/**
 * The key that the pages get for a wallet may not withdraw, so that a stolen key withdraws no money. For a withdrawal
 * the wallet signs for another key, which the page does not store. A session whose key has the scope
 * `account:withdraw` needs no other key.
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

const STATES: Record<Withdrawal['status'], string> = {
  pending: 'Requested',
  sent: 'Sending, not final yet',
  confirmed: 'Paid',
  failed: 'Failed; the amount is available again',
};
const REFRESH_MS = 5_000;

/** The list of withdrawals. While a withdrawal is under way, the page reads the list again every few seconds. */
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
