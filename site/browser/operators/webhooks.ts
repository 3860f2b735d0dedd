import type { PredictionMarketClient } from '../../../src/client';
import { count, element, type Child } from '../dom';
import { card, type Act } from './cards';
import { ask, filled, form } from './forms';
import { pagedList, pageOf } from './lists';
import {
  button,
  facts,
  heading,
  long,
  mono,
  more,
  moreOnDemand,
  muted,
  panel,
  table,
  tag,
  text,
  when,
} from './parts';

type Admin = PredictionMarketClient['admin'];
type Webhook = Awaited<ReturnType<Admin['webhooks']['enable']>>;
type Delivery = Awaited<ReturnType<Admin['webhooks']['deliveries']>>['deliveries'][number];
/**
 * `secret` is in the answers that make a webhook or a new secret. Null: the webhook is not made yet, or was removed.
 */
type Shown = (Webhook & { secret?: string }) | null;

const LONGEST_ADDRESS = 2000;

export function webhooksPanels(admin: Admin): HTMLElement[] {
  const list = pagedList<Webhook>({
    async read(window) {
      const answer = await admin.webhooks.list(window);
      return pageOf(answer.webhooks, answer);
    },
    draw: (rows) => rows.map((webhook) => card<Shown>(webhook, (row, act) => drawWebhook(row, act, admin))),
    empty: 'There are no webhooks.',
  });
  return [panel('Webhooks', list.element), panel('Add a webhook', newWebhook(admin))];
}

function newWebhook(admin: Admin): HTMLElement {
  const fields = [
    { name: 'url', label: 'Address', kind: 'url' as const, maxLength: LONGEST_ADDRESS },
    { name: 'description', label: 'Description (optional)', maxLength: LONGEST_ADDRESS, isOptional: true },
  ];
  return card<Shown>(
    null,
    (made, act) => {
      if (made !== null) return drawWebhook(made, act, admin);
      const create = form(fields, 'Add it', (values) =>
        act(async () => {
          const { url = '', ...optional } = filled(values);
          const row = await admin.webhooks.create({ url, ...optional });
          return { row, text: `Webhook ${row.id} is made. Copy its secret now: it is shown once.` };
        }),
      );
      return [muted('All events from now on are sent, each until the address takes it.'), create];
    },
    'div',
  );
}

function drawWebhook(webhook: Shown, act: Act<Shown>, admin: Admin): Child[] {
  if (webhook === null) return [text('This webhook is removed.')];
  const {
    url,
    description,
    status,
    disabledReason,
    position,
    behind,
    failures,
    failingSince,
    nextAttemptAt,
  } = webhook;
  const { id, events, lost, oldSecretsUntil, secret } = webhook;
  const rows: [string, Child][] = [
    ['Address', mono(url)],
    ['Position', count(position.seq)],
    ['Behind', count(behind)],
  ];
  if (failures > 0)
    rows.push(
      ['Failed in a row', count(failures)],
      ['Fails since', when(failingSince)],
      ['Next try', when(nextAttemptAt, 'now')],
    );
  if (lost !== null)
    rows.push(['Lost', `facts ${lost.from} to ${lost.to} were removed by age before they were sent`]);
  if (oldSecretsUntil.length > 0)
    rows.push(['Older secrets sign until', when(oldSecretsUntil.at(-1) ?? null)]);
  rows.push(['Events', long(events.join(', '))]);
  return [
    heading(description ?? `Webhook ${id}`, tag(status, status === 'enabled' ? 'open' : 'resolving')),
    ...(disabledReason === null ? [] : [element('p', { class: 'notice', dir: 'auto' }, disabledReason)]),
    ...(secret === undefined ? [] : [secretOf(webhook, secret, act)]),
    facts(rows),
    moreOnDemand('Deliveries', () => deliveries(id, admin)),
    actions(webhook, act, admin),
  ];
}

function secretOf(
  { secret: _shown, ...webhook }: Webhook & { secret?: string },
  secret: string,
  act: Act<Shown>,
): HTMLElement {
  const copy = button('Copy', () =>
    act(async () => {
      await navigator.clipboard.writeText(secret);
      return { text: 'Copied.' };
    }),
  );
  const hide = button('I have stored it', () =>
    act(async () => ({ row: webhook, text: 'The secret is not shown any more.' })),
  );
  return element(
    'div',
    { class: 'notice' },
    element('p', {}, 'The secret that signs. It is shown this once.'),
    element('p', {}, element('code', { class: 'mono' }, secret)),
    element('div', { class: 'operators-actions' }, copy, hide),
  );
}

function actions(webhook: Webhook, act: Act<Shown>, { webhooks }: Admin): HTMLElement {
  const { id, url, status, lost } = webhook;
  const enable = (): void =>
    act(async () => ({
      row: await webhooks.enable(id),
      text: 'It goes on from its position, with an attempt at once.',
    }));
  const seq = { name: 'seq', label: 'Number of the first fact', kind: 'number' as const };
  const replay = form([seq], 'Send from there', (values) => {
    const lines = [
      'All facts from this number on are sent, once more or for the first time. A number ahead leaves facts out.',
    ];
    ask({ title: 'Move the position?', lines, yes: 'Send from there' }, () =>
      act(async () => ({
        row: await webhooks.replay(id, Number(values.seq)),
        text: `Facts from ${values.seq ?? ''} on are sent.`,
      })),
    );
  });
  const rotate = (): void => {
    const lines = [
      'The older secret signs too for a day, so that you can change it at the address meanwhile.',
    ];
    ask({ title: 'Make a new secret?', lines, yes: 'Make it' }, () =>
      act(async () => ({
        row: await webhooks.rotate(id),
        text: 'Copy the new secret now: it is shown once.',
      })),
    );
  };
  const remove = (): void =>
    ask(
      { title: 'Remove this webhook?', lines: [url, 'No further fact is sent to it.'], yes: 'Remove it' },
      () =>
        act(async () => {
          await webhooks.remove(id);
          return { row: null, text: `Webhook ${id} is removed.` };
        }),
    );
  const isStuck = status === 'disabled' || lost !== null;
  return element(
    'div',
    { class: 'operators-actions' },
    ...(isStuck ? [button('Enable', enable, 'primary')] : []),
    more('Send again from…', replay),
    button('New secret', rotate),
    button('Remove', remove),
  );
}

function deliveries(id: number, { webhooks }: Admin): HTMLElement {
  return pagedList<Delivery>({
    async read(window) {
      const answer = await webhooks.deliveries(id, window);
      return pageOf(answer.deliveries, answer);
    },
    draw: (rows) => [
      table(
        `Deliveries of webhook ${id}`,
        ['Fact', 'Event', 'Attempt', 'Result', 'When', 'Answer'],
        rows.map((row) => [
          count(row.seq),
          row.type ?? 'none',
          count(row.attempt),
          tag(row.outcome, row.outcome === 'delivered' ? 'open' : 'resolving'),
          when(row.attemptedAt),
          element(
            'span',
            { class: 'operators-wrap', dir: 'auto' },
            row.error ?? `${row.responseStatus ?? ''} ${row.responseBody ?? ''}`,
          ),
        ]),
      ),
    ],
    empty: 'Nothing has been sent yet.',
  }).element;
}
