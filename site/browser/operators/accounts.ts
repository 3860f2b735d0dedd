import type { PredictionMarketClient } from '../../../src/client';
import { count, element, usd, type Child } from '../dom';
import { card, type Act } from './cards';
import { explain, noticeRefusal } from './failures';
import { ask, form } from './forms';
import { keepInAddress } from './lists';
import { button, facts, heading, mono, muted, panel, text, when } from './parts';
import { DEPOSIT_FIELDS, depositOf } from './treasury';

type Admin = PredictionMarketClient['admin'];
type AccountOfWallet = Awaited<ReturnType<Admin['accounts']['get']>>;
type Key = Awaited<ReturnType<Admin['keys']['list']>>[number];

export function accountsView({ admin }: PredictionMarketClient): HTMLElement[] {
  const found = element('div');
  const message = element('p', { class: 'message', role: 'status' });
  let looking = 0;
  async function look(address: string): Promise<void> {
    looking += 1;
    const mine = looking;
    message.textContent = 'Loading…';
    found.replaceChildren();
    try {
      const [account, keys] = await Promise.all([admin.accounts.get(address), admin.keys.list(address)]);
      if (mine !== looking) return;
      message.textContent = '';
      found.replaceChildren(accountPanel(account, admin), keysPanel(keys, admin));
    } catch (error) {
      if (mine === looking) message.textContent = explain(error);
      noticeRefusal(error);
    }
  }
  const search = form([{ name: 'address', label: 'Wallet address' }], 'Look it up', ({ address = '' }) => {
    keepInAddress('address', address);
    void look(address);
  });
  const asked = new URLSearchParams(location.search).get('address');
  const field = search.querySelector('input');
  if (asked !== null && field !== null) {
    field.value = asked;
    void look(asked);
  }
  return [panel('Look a wallet up', search, message), found];
}

function accountPanel(account: AccountOfWallet, admin: Admin): HTMLElement {
  return panel(
    'Account',
    card(account, (row, act) => drawAccount(row, act, admin), 'div'),
  );
}

function drawAccount(account: AccountOfWallet, act: Act<AccountOfWallet>, { accounts }: Admin): Child[] {
  const { address, balance, reserved, available } = account;
  const deposit = form(DEPOSIT_FIELDS, 'Credit the wallet', (values) => {
    const body = depositOf(values);
    const lines = [
      `${usd(body.amount)} to ${address}, with the reference ${body.reference}.`,
      'The money must be there: nothing checks it.',
    ];
    ask({ title: 'Credit this wallet?', lines, yes: 'Credit it' }, () =>
      act(async () => {
        const row = await accounts.deposit(address, body);
        return { row, text: `Credited ${usd(row.amount)}. The wallet has ${usd(row.available)} available.` };
      }),
    );
  });
  return [
    facts([
      ['Wallet', mono(address)],
      ['Balance', usd(balance)],
      ['Held back for withdrawals', usd(reserved)],
      ['Available', usd(available)],
    ]),
    deposit,
  ];
}

function keysPanel(keys: readonly Key[], admin: Admin): HTMLElement {
  const rows = keys.map((key) => card<Key | null>(key, (row, act) => drawKey(row, act, admin)));
  return panel('API keys', ...(rows.length === 0 ? [muted('The wallet has no active key.')] : rows));
}

function drawKey(key: Key | null, act: Act<Key | null>, { keys }: Admin): Child[] {
  if (key === null) return [text('This key is revoked.')];
  const { id, prefix, label, rateLimit, scopes, createdAt, lastUsedAt } = key;
  const revoke = (): void => {
    const lines = [
      `${prefix}, ${label ?? 'without a label'}.`,
      'Programs that use it are refused from now on. It cannot be taken back.',
    ];
    ask({ title: 'Revoke this key?', lines, yes: 'Revoke it' }, () =>
      act(async () => {
        await keys.revoke(id);
        return { row: null, text: `The key ${prefix} is revoked.` };
      }),
    );
  };
  return [
    heading(label ?? 'No label'),
    facts([
      ['Key', mono(prefix)],
      ['May', scopes.join(', ')],
      ['Requests a minute', count(rateLimit)],
      ['Made', when(createdAt)],
      ['Last used', when(lastUsedAt)],
    ]),
    button('Revoke', revoke),
  ];
}
