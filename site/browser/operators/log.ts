import type { PredictionMarketClient } from '../../../src/client';
import { element, usd, type Child } from '../dom';
import { choice, pagedList } from './lists';
import { mono, muted, pageLink, panel, table, when } from './parts';

type Log = PredictionMarketClient['admin']['log'];
type Act = Awaited<ReturnType<Log['list']>>['acts'][number];
type Action = Act['action'];

const ACTIONS: Record<Action, string> = {
  'creator.approve': 'approved a creator',
  'creator.reject': 'rejected a creator',
  'creator.suspend': 'suspended a creator',
  'account.deposit': 'credited a wallet',
  'treasury.deposit': 'put money into the treasury',
  'market.close': 'closed a market',
  'market.resolve': 'decided a market',
  'resolution.retry': 'had the oracle asked again',
  'key.update': 'changed a key',
  'key.revoke': 'revoked a key',
  'payment.confirm': 'confirmed a payment',
  'payment.reject': 'rejected a payment',
  'withdrawal.confirm': 'confirmed a withdrawal',
  'withdrawal.fail': 'failed a withdrawal',
  'webhook.create': 'added a webhook',
  'webhook.remove': 'removed a webhook',
  'webhook.enable': 'enabled a webhook',
  'webhook.replay': 'had a webhook send again',
  'webhook.rotate': 'made a new secret of a webhook',
  'consumer.remove': 'removed a consumer',
  'consumer.resume': 'moved a consumer',
  'consumer.redo': 'had parked facts tried again',
  'consumer.skip': 'took a parked fact out',
  'sample.fill': 'had sample markets made',
};
const isAction = (value: string): value is Action => Object.hasOwn(ACTIONS, value);

export function logView({ admin }: PredictionMarketClient): HTMLElement[] {
  const choices = [['', 'Everything'], ...Object.entries(ACTIONS)] as [string, string][];
  const action = choice({ label: 'Show', parameter: 'action', choices }, () => list.reload());
  const list = pagedList<Act>({
    async read(window) {
      const chosen = action.value();
      const answer = await admin.log.list({ ...window, ...(isAction(chosen) && { action: chosen }) });
      return { rows: answer.acts, hasMore: answer.hasMore };
    },
    draw: (rows) => [
      table(
        'Log',
        ['When', 'Who', 'Did what', 'To', 'With'],
        rows.map((act) => [
          when(act.at),
          element('span', { dir: 'auto' }, act.operator),
          ACTIONS[act.action] ?? act.action,
          target(act),
          details(act.details),
        ]),
      ),
    ],
    empty: 'Nothing has been changed.',
  });
  const explained = muted('Newest first. A name stands here if the host names its operators.');
  return [panel('What operators have changed', explained, action.element, list.element)];
}

/** The target of an act: a market becomes a link, and a number gets a kind, such as `payment 7`. */
function target({ action, target: name, question }: Act): Child {
  if (/^(market|resolution)\./.test(action))
    return element(
      'span',
      { class: 'operators-wrap', dir: 'auto' },
      pageLink(`/market/${encodeURIComponent(name)}`, question ?? `market ${name}`),
    );
  if (/^\d+$/.test(name)) return `${action.split('.', 1)[0] ?? ''} ${name}`;
  return element('span', { class: 'operators-target' }, mono(name));
}

/** The details of an act, one a line. '' if there are none, because phones hide an empty cell. */
function details(given: Act['details']): Child {
  const parts = Object.entries(given).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${wordsOf(name, value)}`],
  );
  if (parts.length === 0) return '';
  return element('span', { class: 'operators-wrap', dir: 'auto' }, parts.join('\n'));
}

function wordsOf(name: string, value: string | number | readonly string[]): string {
  if (Array.isArray(value)) return value.join(', ');
  return name === 'amount' && typeof value === 'number' ? usd(value) : String(value);
}
