/**
 * The forms of the creators' page: an application, which the wallet signs, and a new market, which needs an API key.
 */
import { isPredictionMarketApiError, type NewMarket } from '../../src/client';
import type { CreatorStatus, MarketDetail } from '../../src/client/api.generated';
import { client } from './client';
import { openDialog } from './connect-dialog';
import { startOwnMarkets } from './own-markets';
import { base, element, find, messageOf, onSubmit, say, show, text } from './dom';
import { IN_ANOTHER_WINDOW } from './pending';
import { pendingMarkets } from './pending-market';
import { startPreview } from './market-preview';
import { adviceAbout } from './question-advice';
import { currentSession, currentWallet, onSession } from './session';

const WORDS: Record<CreatorStatus['status'], string> = {
  none: 'Your wallet has not applied yet.',
  pending:
    'Your application is being reviewed. You can write your question now, and open it once you are approved.',
  approved: 'Your wallet is an approved creator. Ask away.',
  rejected: 'Your application was rejected',
  suspended: 'Your creator status is suspended. Your markets go on, and you cannot open new ones.',
};
const NOT_CONNECTED = 'The status of your wallet is shown here once you connect.';
const ASKING = 'The status of your wallet is being asked.';
const NOT_KNOWN =
  'It is not known whether this market was opened, so it is not sent again. Look for it; the answer may take a moment to show.';

const ADVICE_DELAY_MS = 700;

export function startCreators(): void {
  const status = find('[data-creator-status]');
  const showStatus = async (address: string): Promise<void> => {
    const found = await client.creators
      .status(address)
      .catch((error: unknown) => `Your status is not known. ${messageOf(error)}`);
    // Another wallet may be connected by now.
    if (currentSession()?.address !== address) return;
    status?.replaceChildren(typeof found === 'string' ? found : statusWords(found));
    show(apply, typeof found === 'string' || found.status !== 'approved');
  };
  const create = find<HTMLFormElement>('[data-create]');
  const apply = find<HTMLFormElement>('[data-apply]');
  let shown: string | null = null;
  onSession((session) => {
    const address = session?.address ?? null;
    if (address === shown) return;
    shown = address;
    if (create !== null) showPending(create);
    // Once a wallet is connected, the form to apply stays hidden until the status of the wallet is known.
    show(apply, address === null);
    status?.replaceChildren(address === null ? NOT_CONNECTED : ASKING);
    if (address !== null) void showStatus(address);
  });

  if (apply !== null) {
    onSubmit(apply, async (fields) => {
      const wallet = currentWallet();
      if (wallet === null || wallet.signer === null) {
        openDialog('Connect a wallet: it signs the application.');
        return '';
      }
      await client.creators.apply(wallet.signer, filled(fields, 'displayName', 'statement'));
      await showStatus(wallet.address);
      return 'Your application has been sent.';
    });
  }
  if (create !== null) startCreating(create);
  startOwnMarkets();
}

function statusWords({ status, rejectedReason }: CreatorStatus): string {
  if (status !== 'rejected') return WORDS[status];
  return `${WORDS.rejected}: ${rejectedReason ?? 'no reason was given'}. You can apply again.`;
}

function startCreating(form: HTMLFormElement): void {
  startPreview(form, {
    draft: () => marketOf(new FormData(form)),
    showErrors: (errors) => showFieldErrors(form, errors),
  });
  onSubmit(form, async (fields) => {
    const session = currentSession();
    if (session === null) {
      openDialog('Connect to open a market.');
      return '';
    }
    const { address } = session;
    const pending = pendingMarkets.get(address);
    return pending === null ? open(form, address, marketOf(fields)) : look(address, pending);
  });
  find('[data-forget-market]', form)?.addEventListener('click', () => {
    const session = currentSession();
    if (session === null || shownMarket === null) return;
    void pendingMarkets.replace(session.address, shownMarket, null).then(() => {
      say(find('[data-message]', form), '');
      showPending(form);
    });
  });
  let timer = 0;
  form.addEventListener('input', (event) => {
    if (event.target instanceof HTMLElement) sayBeside(event.target, '');
    clearTimeout(timer);
    // The advice is shown after a pause in the writing, so that a screen reader does not interrupt each word.
    timer = window.setTimeout(() => showAdvice(form), ADVICE_DELAY_MS);
  });
}

function showAdvice(form: HTMLFormElement): void {
  const fields = new FormData(form);
  const closes = text(fields, 'resolveDate');
  const advice = adviceAbout({
    question: text(fields, 'question'),
    resolutionCriteria: text(fields, 'resolutionCriteria'),
    closesAt: closes === '' ? null : new Date(closes),
  });
  find('[data-advice]', form)?.replaceChildren(...advice.map((line) => element('li', {}, line)));
}

/**
 * Opens the market. If the answer is lost, the market may exist, so the request stays stored. After a refusal there is
 * no market.
 */
async function open(form: HTMLFormElement, address: string, market: NewMarket): Promise<string> {
  if (!(await pendingMarkets.replace(address, null, market))) {
    showPending(form);
    throw new Error(IN_ANOTHER_WINDOW);
  }
  try {
    const opened = await client.markets.create(market);
    await pendingMarkets.replace(address, market, null);
    return goTo(opened);
  } catch (error) {
    if (!isPredictionMarketApiError(error) || error.outcome === 'unknown')
      throw new Error(`${messageOf(error)} ${NOT_KNOWN}`, { cause: error });
    await pendingMarkets.replace(address, market, null);
    showFieldErrors(form, error.errors);
    throw error;
  } finally {
    showPending(form);
  }
}

/** How many markets with the same question and resolve date are read to compare their creators: the newest ones. */
const MOST_LOOKED_AT = 10;

/** Looks for the market of a request without a clear answer. A market that is not found may still be opened. */
async function look(address: string, pending: NewMarket): Promise<string> {
  const { markets } = await client.markets.list({ sort: 'created_desc', limit: 100 });
  const alike = markets.filter(
    ({ question, resolveDate }) =>
      question === pending.question && Date.parse(resolveDate) === Date.parse(pending.resolveDate),
  );
  for (const { id } of alike.slice(0, MOST_LOOKED_AT)) {
    const found = await client.markets.get(id);
    if (found.creator.address.toLowerCase() !== address.toLowerCase()) continue;
    await pendingMarkets.replace(address, pending, null);
    return goTo(found);
  }
  throw new Error(`The market is not among the newest 100. ${NOT_KNOWN}`);
}

function goTo({ slug }: MarketDetail): string {
  location.assign(`${base}/market/${encodeURIComponent(slug)}`);
  return 'Opened.';
}

/** The request of unknown outcome whose market the form shows; null if there is none. */
let shownMarket: NewMarket | null = null;

function showPending(form: HTMLFormElement): void {
  const session = currentSession();
  const pending = session === null ? null : pendingMarkets.get(session.address);
  shownMarket = pending;
  const inputs = form.querySelectorAll<HTMLInputElement>('input, textarea, select');
  for (const input of inputs) {
    input.disabled = pending !== null;
    if (pending === null) continue;
    input.value =
      input.name === 'resolveDate' ? localInput(pending.resolveDate) : pendingText(pending, input.name);
  }
  find('button.primary', form)?.replaceChildren(pending === null ? 'Open the market' : 'Look for the market');
  show(find('[data-forget-market]', form), pending !== null);
  const message = find('[data-message]', form);
  if (pending !== null && message?.textContent === '') say(message, NOT_KNOWN, 'bad');
}

const pendingText = (pending: NewMarket, name: string): string =>
  (pending as Partial<Record<string, string | null>>)[name] ?? '';

/** An instant in the form of `datetime-local`, in the time zone of the reader. */
function localInput(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function showFieldErrors(form: HTMLFormElement, errors: readonly { field: string; message: string }[]): void {
  const wrong = errors.flatMap(({ field, message }) => {
    const input = find(`[name="${CSS.escape(field)}"]`, form);
    if (input !== null) sayBeside(input, message);
    return input === null ? [] : [input];
  });
  wrong[0]?.focus();
}

/** Writes an error beside a field; '' removes the error. */
function sayBeside(input: HTMLElement, message: string): void {
  const place = find(`#${CSS.escape(input.id)}-error`);
  if (place === null) return;
  say(place, message, message === '' ? '' : 'bad');
  if (message === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

function marketOf(fields: FormData): NewMarket {
  const resolveDate = new Date(text(fields, 'resolveDate'));
  if (Number.isNaN(resolveDate.getTime())) throw new Error('Say when trading closes.');
  const words = filled(fields, 'question', 'resolutionCriteria', 'description', 'category');
  return { ...words, resolveDate: resolveDate.toISOString() } as NewMarket;
}

function filled(fields: FormData, ...names: string[]): Record<string, string> {
  const pairs = names.map((name) => [name, text(fields, name).replace(/\r\n/g, '\n')] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
