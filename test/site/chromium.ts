import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { withinTime } from '../../src/ports/time-limit';
import { awaitedTimers } from '../../src/ports/timers';

const CLOSE_LIMIT_MS = 20_000;

export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Sent {
  url: string;
  method: string;
}

export interface TestBrowser {
  /** Errors on the console, dialogs, and requests to hosts that the pages must not ask. */
  readonly complaints: readonly string[];
  readonly sent: readonly Sent[];
  /** The page gets a new browser profile, which is closed when the next test begins. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Ignores complaints that match `complaint`, if they happen while `work` runs. */
  excusing(complaint: RegExp, work: () => Promise<void>): Promise<void>;
}

/** Registers hooks of Jest. A request to a server that is not in `own` counts as a complaint. */
export function testBrowser(executablePath: string, own: () => readonly string[]): TestBrowser {
  const complaints: string[] = [];
  const sent: Sent[] = [];
  const excuses: { complaint: RegExp; from: number; to: number }[] = [];
  let browser: Browser;
  // The browser may report a complaint late, so the browser's time stamp decides whether the complaint is excused.
  const complain = (complaint: string, at = Date.now()): void => {
    if (!excuses.some((each) => each.from <= at && at <= each.to && each.complaint.test(complaint)))
      complaints.push(complaint);
  };

  async function launch(): Promise<void> {
    browser = await chromium.launch({ executablePath, args: FLAGS });
  }

  beforeAll(launch);
  afterAll(() => browser?.close());
  // The pages are not closed after each test, because an `afterEach` of the file may look at them.
  beforeEach(async () => {
    const closing = Promise.all(browser.contexts().map((context) => context.close()));
    // Chromium sometimes never closes a profile on a busy machine. The next test then gets another browser.
    await withinTime(awaitedTimers, CLOSE_LIMIT_MS, closing).catch(() => {
      void browser.close().catch(() => undefined);
      return launch();
    });
    complaints.length = 0;
    sent.length = 0;
    excuses.length = 0;
  });

  const isOwn = (url: string): boolean =>
    url.startsWith('data:') || own().some((server) => new URL(server).host === new URL(url).host);

  return {
    complaints,
    sent,
    async newPage(options) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      const ask = (url: string, method: string): void => {
        sent.push({ url, method });
        if (!isOwn(url)) complain(url);
      };
      context.on('weberror', (error) => complain(error.error().message));
      context.on('console', (message) => {
        if (message.type() === 'error')
          complain(`${message.text()} (${message.location().url})`, message.timestamp());
      });
      context.on('request', (request) => ask(request.url(), request.method()));
      context.on('page', (page) => page.on('websocket', (socket) => ask(socket.url(), 'GET')));
      context.on('dialog', (dialog) => {
        complain(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      return page;
    },
    async excusing(complaint, work) {
      const excuse = { complaint, from: Date.now(), to: Infinity };
      excuses.push(excuse);
      await work();
      excuse.to = Date.now();
    },
  };
}
