/** The page of API keys: lists, issues, replaces and revokes them. The wallet signs each change. */
import type { IssuedKey, Key } from '../../src/client/api.generated';
import type { Scope } from '../../src/client/keys';
import { client, storedKey } from './client';
import { confirmed } from './confirm';
import { loads } from './loads';
import { element, find, localTime, messageOf, onSubmit, say, show, text } from './dom';
import { currentSession, onSession, replaceStoredKey, signOut } from './session';
import { canSign, CANNOT_SIGN, signerOfSession } from './signing';
import { table } from './table';

export function startKeys(page: HTMLElement): void {
  const list = find('[data-key-list]', page);
  const form = find<HTMLFormElement>('[data-issue]', page);
  if (list === null || form === null) return;
  const load = loads(
    list,
    () => client.keys.list(ownAddress()),
    (keys) => drawKeys(keys, page, () => void load()),
  );
  let shown: string | null = null;
  onSession((session) => {
    show(find('[data-needs-key]'), session === null);
    show(page, session !== null);
    if (session === null || session.address !== shown) hideSecret(page);
    if (session !== null && session.address !== shown) {
      sayWhetherItSigns(page);
      void load();
    }
    shown = session?.address ?? null;
  });
  onSubmit(form, async (fields) => {
    const scopes = fields.getAll('scope') as Scope[];
    if (scopes.length === 0) throw new Error('Choose at least one thing that the key may do.');
    const label = text(fields, 'label');
    const issued = await client.keys.issue(signerOfSession(), { label, scopes }).finally(() => void load());
    form.reset();
    showSecret(page, issued);
    return '';
  });
  startSecret(page);
}

function ownAddress(): string {
  const session = currentSession();
  if (session === null) throw new Error('Connect first.');
  return session.address;
}

function sayWhetherItSigns(page: HTMLElement): void {
  const notice = find('[data-cannot-sign]', page);
  notice?.replaceChildren(CANNOT_SIGN);
  show(notice, !canSign());
}

/** Whether this browser stores the key. `prefix` is the beginning of the key and an ellipsis. */
function isOwn({ prefix }: Key): boolean {
  return storedKey.get()?.startsWith(prefix.replace(/…$/, '')) ?? false;
}

function drawKeys(keys: readonly Key[], page: HTMLElement, reload: () => void): HTMLElement[] {
  if (keys.length === 0) return [element('p', { class: 'muted' }, 'This wallet has no keys.')];
  const rows = table('API keys of this wallet', keys, [
    { title: 'Name', cell: (key) => nameOf(key) },
    { title: 'May', cell: ({ scopes }) => element('span', { class: 'scopes' }, scopes.join(', ')) },
    { title: 'Created', cell: ({ createdAt }) => localTime(createdAt) },
    { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : localTime(lastUsedAt)) },
    { title: 'Change', cell: (key) => actionsOf(key, page, reload) },
  ]);
  return [rows];
}

function titleOf({ label, prefix }: Key): string {
  return label ?? prefix;
}

function nameOf(key: Key): HTMLElement {
  const name = element('span', { class: 'key-name' }, element('bdi', {}, titleOf(key)));
  if (isOwn(key)) name.append(' ', element('span', { class: 'tag open' }, 'this browser'));
  if (key.label !== null) name.append(element('span', { class: 'muted mono' }, key.prefix));
  return name;
}

function actionsOf(key: Key, page: HTMLElement, reload: () => void): HTMLElement {
  const button = (title: string, work: () => Promise<string | null>): HTMLElement => {
    const made = element('button', { type: 'button', 'aria-label': `${title} ${titleOf(key)}` }, title);
    made.addEventListener('click', () => void act(page, work, reload));
    return made;
  };
  return element(
    'span',
    { class: 'buttons' },
    button('Replace', () => replace(key, page)),
    button('Revoke', () => revoke(key)),
  );
}

async function act(page: HTMLElement, work: () => Promise<string | null>, reload: () => void): Promise<void> {
  const message = find('[data-list-message]', page);
  say(message, '');
  try {
    const done = await work();
    if (done === null) return;
    say(message, done, 'good');
  } catch (error) {
    say(message, messageOf(error), 'bad');
  }
  // After a lost answer, only the list shows whether the key was changed. So the page reads the list again after a
  // failure too.
  if (currentSession() !== null) reload();
}

async function revoke(key: Key): Promise<string | null> {
  const own = isOwn(key);
  const ends = 'Programs that use it are refused from then on. A revoked key does not come back.';
  const signsOut = own ? ' It is the key of this browser, so you are signed out here.' : '';
  const title = `Revoke “${titleOf(key)}”?`;
  if (!(await confirmed({ title, text: ends + signsOut, yes: 'Revoke' }))) return null;
  await client.keys.revoke(signerOfSession(), key.id);
  if (own) {
    signOut();
  }
  return `“${titleOf(key)}” is revoked.`;
}

async function replace(key: Key, page: HTMLElement): Promise<string | null> {
  const own = isOwn(key);
  const text = own
    ? 'This browser gets a new key with the same rights. The old key ends at once, wherever else it is used.'
    : 'You get a new key with the same name and rights. The old key ends at once, so programs need the new one.';
  if (!(await confirmed({ title: `Replace “${titleOf(key)}”?`, text, yes: 'Replace' }))) return null;
  const signer = signerOfSession();
  if (own) {
    await replaceStoredKey(async () => (await client.keys.regenerate(signer, key.id)).apiKey);
    return 'This browser has a new key.';
  }
  const issued = await client.keys.regenerate(signer, key.id);
  showSecret(page, issued);
  return `“${titleOf(key)}” is replaced. Its new key is below.`;
}

function showSecret(page: HTMLElement, { apiKey }: IssuedKey): void {
  const input = find<HTMLInputElement>('#secret', page);
  if (input !== null) input.value = apiKey;
  say(find('[data-copy-message]', page), '');
  show(find('[data-secret]', page), true);
  find('#secret-title', page)?.focus();
}

function hideSecret(page: HTMLElement): void {
  const input = find<HTMLInputElement>('#secret', page);
  if (input !== null) input.value = '';
  show(find('[data-secret]', page), false);
}

function startSecret(page: HTMLElement): void {
  const input = find<HTMLInputElement>('#secret', page);
  find('[data-secret-done]', page)?.addEventListener('click', () => hideSecret(page));
  find('[data-copy]', page)?.addEventListener('click', () => {
    void copy(input?.value ?? '').then((copied) => {
      if (!copied) input?.select();
      const told = copied
        ? 'Copied.'
        : 'The browser does not allow it. The key is selected: copy it by hand.';
      say(find('[data-copy-message]', page), told, copied ? 'good' : 'bad');
    });
  });
}

/**
 * Copies the secret to the clipboard. Resolves with false if the browser has no clipboard, as without https, or if the
 * reader forbids its use.
 */
async function copy(secret: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(secret);
    return true;
  } catch {
    return false;
  }
}
