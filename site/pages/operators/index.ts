/** The operators' pages. Their HTML contains no data: the script asks for the token and reads everything with it. */
import { html, type SafeHtml } from '../../html';
import type { Page, View } from '../../layout';

const SECTIONS = {
  overview: {
    path: '/operators',
    title: 'Overview',
    lead: 'What waits for a person, and whether the house can pay what it owes.',
  },
  creators: {
    path: '/operators/creators',
    title: 'Creators',
    lead: 'Who may open markets. Applications that wait come first.',
  },
  markets: {
    path: '/operators/markets',
    title: 'Markets',
    lead: 'Markets that wait for a decision, with what the oracle has found.',
  },
  money: {
    path: '/operators/money',
    title: 'Money',
    lead: 'Payments and withdrawals that do not end by themselves, the treasury and the books.',
  },
  accounts: {
    path: '/operators/accounts',
    title: 'Accounts',
    lead: 'The balance and the API keys of one wallet.',
  },
  feeds: {
    path: '/operators/feeds',
    title: 'Webhooks and consumers',
    lead: 'Consumers and webhooks: how far they are, and what is wrong.',
  },
  log: {
    path: '/operators/log',
    title: 'Log',
    lead: 'Who changed what, and when.',
  },
} as const;
type SectionName = keyof typeof SECTIONS;

const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
};

export interface Operators {
  /** The address of the operators' routes for the browser. */
  adminUrl: string;
  /** Whether the host fills an empty market with samples at `<adminUrl>/sample`. */
  sampleMarkets: boolean;
}

export function operatorsPage(view: View, path: string, { adminUrl, sampleMarkets }: Operators): Page | null {
  const name = (Object.keys(SECTIONS) as SectionName[]).find((each) => SECTIONS[each].path === path);
  if (name === undefined) return null;
  const { title, lead } = SECTIONS[name];
  return {
    status: 200,
    title: `${title} · Operators`,
    script: 'operators',
    headers: HEADERS,
    policy: "frame-ancestors 'none'",
    body: html`
<div class="operators" data-operators="${name}" data-admin="${adminUrl}"${sampleMarkets && html` data-samples`}>
<nav class="operators-nav" aria-label="Operators">${links(view.base, name)}
<button type="button" class="secondary" data-sign-out hidden>Sign out</button></nav>
<div class="operators-view">
<div class="heading"><h1>${title}</h1></div>
<p class="lead">${lead}</p>
${signIn()}
<div data-view hidden></div>
</div>
</div>`,
  };
}

function links(base: string, current: SectionName): SafeHtml[] {
  return Object.entries(SECTIONS).map(
    ([name, { path, title }]) =>
      html`<a href="${base}${path}"${name === current && html` aria-current="page"`}>${title}</a>`,
  );
}

/**
 * If the script fails, a browser puts the named fields of a GET form into the address. So the field of the token has no
 * name, and the form uses POST.
 */
function signIn(): SafeHtml {
  return html`<section class="panel operators-sign-in" data-signed-out aria-labelledby="sign-in-title">
<h2 id="sign-in-title">Sign in</h2>
<p>These pages are for the operators of this server. The token stays in this tab and is forgotten when you close it.</p>
<form method="post" data-sign-in>
<label for="operator-token">Operator token</label>
<input id="operator-token" type="password" autocomplete="off" autocapitalize="none" spellcheck="false" required>
<button class="primary wide">Sign in</button>
<p class="message" role="status" data-message></p>
</form>
<noscript><p class="notice">These pages need JavaScript. The API does not.</p></noscript>
</section>`;
}
