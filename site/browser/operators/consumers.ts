import type { PredictionMarketClient } from '../../../src/client';
import { count, element, type Child } from '../dom';
import { card, type Act } from './cards';
import { ask, form } from './forms';
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
  tag,
  text,
  when,
} from './parts';

type Admin = PredictionMarketClient['admin'];
type Consumer = Awaited<ReturnType<Admin['consumers']['resume']>>;
type Parked = Awaited<ReturnType<Admin['consumers']['parked']>>['parked'][number];

const REASONS: Record<NonNullable<Consumer['reason']>, string> = {
  EPOCH: 'The storage was restored from a backup, so its position is of another time.',
  SEQ_AHEAD: 'Its position is ahead of the newest fact.',
  RETENTION: 'Facts after its position were removed because of their age.',
  PARKED_LIMIT: 'It has put aside as many facts as it may.',
};

export function consumersPanel(admin: Admin): HTMLElement {
  const list = pagedList<Consumer>({
    async read({ limit, offset }) {
      const { consumers } = await admin.consumers.list();
      return pageOf(consumers.slice(offset, offset + limit), { total: consumers.length, offset });
    },
    draw: (rows) =>
      rows.map((consumer) => card<Consumer | null>(consumer, (row, act) => drawConsumer(row, act, admin))),
    empty: 'There are no consumers.',
  });
  return panel(
    'Consumers',
    muted('Parts of apps that handle every fact once, each from its own position.'),
    list.element,
  );
}

function drawConsumer(consumer: Consumer | null, act: Act<Consumer | null>, admin: Admin): Child[] {
  if (consumer === null) return [text('This consumer is removed.')];
  const { name, status, reason, position, behind, waitingSince, owner, lastError, parked } = consumer;
  const rows: [string, Child][] = [
    ['Position', count(position.seq)],
    ['Behind', count(behind)],
    ['Waits since', when(waitingSince, 'nothing waits')],
    ['Works on it', owner ?? 'no instance'],
    ['Put aside', count(parked)],
  ];
  if (lastError !== null) rows.push(['Last error', long(lastError)]);
  return [
    heading(name, tag(status, status === 'running' ? 'open' : 'resolving')),
    ...(reason === null ? [] : [element('p', { class: 'notice' }, REASONS[reason] ?? reason)]),
    facts(rows),
    ...(parked === 0
      ? []
      : [moreOnDemand('Facts that it has put aside', () => parkedFacts(consumer, act, admin))]),
    actions(consumer, act, admin),
  ];
}

function actions({ name }: Consumer, act: Act<Consumer | null>, { consumers }: Admin): HTMLElement {
  const fields = [
    {
      name: 'from',
      label: 'Go on from',
      choices: [
        ['seq', 'The number below'],
        ['oldest', 'The oldest fact that is stored'],
        ['now', 'Now: leave out what has not been handled'],
      ] as const,
    },
    { name: 'seq', label: 'Number of the first fact', kind: 'number' as const, isOptional: true },
  ];
  const resume = form(fields, 'Move', ({ from, seq = '' }) => {
    const lines = ['Forward, facts are left out. Back, facts are handled once more.'];
    ask({ title: `Move the position of ${name}?`, lines, yes: 'Move it' }, () =>
      act(async () => {
        const row = await consumers.resume(
          name,
          from === 'now' || from === 'oldest' ? { from } : { seq: Number(seq) },
        );
        return { row, text: `${name} goes on after fact ${row.position.seq}.` };
      }),
    );
  });
  const remove = (): void => {
    const lines = ['Its position and the facts that it has put aside are removed.'];
    ask({ title: `Remove ${name}?`, lines, yes: 'Remove it' }, () =>
      act(async () => {
        await consumers.remove(name);
        return { row: null, text: `${name} is removed.` };
      }),
    );
  };
  return element(
    'div',
    { class: 'operators-actions' },
    more('Move its position…', resume),
    button('Remove', remove),
  );
}

function parkedFacts({ name }: Consumer, act: Act<Consumer | null>, { consumers }: Admin): HTMLElement {
  const all = button('Try all once more', () =>
    act(async () => ({ row: await consumers.redo(name), text: `${name} tries them once more.` })),
  );
  return pagedList<Parked>({
    async read(window) {
      const answer = await consumers.parked(name, window);
      return pageOf(answer.parked, answer);
    },
    draw: (rows) => rows.map((parked) => drawParked(parked, name, act, consumers)),
    empty: 'No fact is put aside.',
    beside: [all],
  }).element;
}

function drawParked(
  { id, seq, kind, failures, error, parkedAt, redo }: Parked,
  name: string,
  act: Act<Consumer | null>,
  consumers: Admin['consumers'],
): HTMLElement {
  const again = button('Try once more', () =>
    act(async () => ({
      row: await consumers.redo(name, { fact: id }),
      text: `Fact ${seq} is tried once more.`,
    })),
  );
  const skip = button('Take out', () => {
    const lines = [`Fact ${seq}, ${kind}: ${name} never handles it.`];
    ask({ title: 'Take this fact out?', lines, yes: 'Take it out' }, () =>
      act(async () => ({ row: await consumers.skip(name, id), text: `Fact ${seq} is taken out.` })),
    );
  });
  return element(
    'div',
    { class: 'operators-vote' },
    element(
      'div',
      { class: 'operators-title' },
      element('strong', {}, `Fact ${count(seq)}: ${kind}`),
      ...(redo ? [tag('is tried again', 'resolving')] : []),
    ),
    facts([
      ['Id', mono(id)],
      ['Failures', count(failures)],
      ['Put aside', when(parkedAt)],
      ['Error', long(error)],
    ]),
    element('div', { class: 'operators-actions' }, again, skip),
  );
}
