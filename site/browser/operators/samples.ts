/** Asks the host to make sample markets, and shows the progress. */
import { count, element, find, say, show } from '../dom';
import { timers } from '../live';
import { explain, explainChange, noticeRefusal } from './failures';
import { button, muted, pageLink, panel, text } from './parts';
import type { HostCall } from './session';

interface Samples {
  state: 'idle' | 'running' | 'done' | 'failed';
  done: number;
  total: number;
  message: string | null;
  filled: { markets: number; resolved: number; trades: number; wallets: number } | null;
  refusal: { message: string } | null;
}

const PATH = '/sample';
const LOOK_EVERY_MS = 500;

export const isOffered = (): boolean => find('[data-samples]') !== null;

/** Before a start, the panel is hidden if the host refuses samples, for example because there are markets already. */
export function samplesPanel(call: HostCall): HTMLElement {
  const message = element('p', { class: 'message', role: 'status', tabindex: '-1' });
  const bar = element('progress', { 'aria-label': 'How much is filled' }) as HTMLProgressElement;
  const start = button('Fill with sample markets', () => void begin(), 'primary');
  const next = text('Get play money at the top of the page of markets, then trade.');
  const link = pageLink('/', 'See the markets');
  link.className = 'primary';
  const done = element('div', {}, next, link);
  const offer = element(
    'div',
    {},
    text(
      'Fills this empty market with a dozen made-up questions and four weeks of trades in play money. It takes some seconds. Some of the markets end within minutes, so there is something to decide.',
    ),
    muted('Wallets that have play money already keep it.'),
  );
  const actions = element('div', { class: 'operators-actions' }, start);
  const frame = panel('Sample markets', ...[offer, actions, bar, message, done]);
  let isBusy = false;

  async function begin(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    say(message, 'Starting…');
    try {
      draw((await call('POST', PATH)) as Samples);
      message.focus();
    } catch (error) {
      say(message, explainChange(error), 'bad');
      noticeRefusal(error);
    } finally {
      isBusy = false;
    }
  }

  async function look(): Promise<void> {
    // The operator has signed out meanwhile.
    if (isShown && !frame.isConnected) return;
    try {
      draw((await call('GET', PATH)) as Samples);
    } catch (error) {
      say(message, explain(error), 'bad');
      noticeRefusal(error);
      if (isRunning) lookLater();
    }
  }
  let isShown = false;
  let isRunning = false;
  const lookLater = (): void => void timers.after(LOOK_EVERY_MS, () => void look());

  function draw({ state, done: made, total, message: reason, filled, refusal }: Samples): void {
    // If the samples were complete before this page was opened, the panel stays hidden.
    const isOld = !isShown && state === 'done';
    isShown = true;
    isRunning = state === 'running';
    show(frame, !isOld && (state !== 'idle' || refusal === null));
    show(start, !isRunning && state !== 'done' && refusal === null);
    show(bar, isRunning);
    show(offer, state !== 'done');
    show(done, state === 'done');
    if (isRunning) {
      bar.max = Math.max(total, 1);
      bar.value = made;
      if (message.textContent !== FILLING) say(message, FILLING);
      lookLater();
    } else if (filled !== null) say(message, told(filled), 'good');
    else say(message, reason ?? '', 'bad');
  }
  show(frame, false);
  for (const part of [bar, done]) show(part, false);
  void look();
  return frame;
}

const FILLING = 'Making markets and trading…';

function told({ markets, resolved, trades, wallets }: NonNullable<Samples['filled']>): string {
  return `${count(markets)} markets (${count(resolved)} of them decided) and ${count(trades)} trades of ${count(wallets)} wallets were made.`;
}
