/** The HTML document around the content of every page: its head, the header and the footer. */
import { scripts, style } from './assets.generated';
import { CATEGORIES } from './choices';
import { connectDialog } from './connect-dialog';
import { html, type SafeHtml } from './html';
import { ICON_LINK } from './icon';
import { playMoneyBanner } from './play-money-banner';

export interface View {
  /** The mount path of the site; '' at the root. */
  base: string;
  /** The address of the API for the browser. */
  apiUrl: string;
  siteUrl: string;
  title: string;
  /** Whether the market has play money, which is worth nothing. */
  playMoney: boolean;
  now: number;
}

export interface Page {
  status: number;
  title: string;
  /** The text for search engines and link previews. */
  description?: string;
  /**
   * The path of the page below `siteUrl`, or below the mount path without `siteUrl`. Search engines are asked not to
   * index a page without this path.
   */
  canonicalPath?: string;
  section?: 'markets' | 'portfolio' | 'creators';
  /** The script of the page, by the name of its file in site/browser/entries. Default `plain`. */
  script?: keyof typeof scripts;
  body: SafeHtml;
  /** Further elements of the head. */
  head?: SafeHtml;
  headers?: Record<string, string>;
  /** A content security policy that applies in addition to the policy of the host, or to the default policy. */
  policy?: string;
}

export function document(view: View, page: Page): string {
  const { base } = view;
  const title = page.title === view.title ? view.title : `${page.title} · ${view.title}`;
  const canonical = page.canonicalPath === undefined ? null : `${view.siteUrl || base}${page.canonicalPath}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${page.description !== undefined && html`<meta name="description" content="${page.description}"><meta property="og:description" content="${page.description}">`}
<meta property="og:title" content="${page.title}"><meta property="og:site_name" content="${view.title}"><meta property="og:type" content="website">
${canonical === null ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${canonical}"><meta property="og:url" content="${canonical}">`}
${page.head ?? null}
${ICON_LINK}
<link rel="stylesheet" href="${base}${style}">
${scriptTags(base, page.script ?? 'plain')}
</head>
<body data-base="${base}" data-api="${view.apiUrl}" data-play-money="${String(view.playMoney)}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
  <a class="brand" href="${base}/">${mark()}<span>${view.title}</span></a>
  <nav aria-label="Main">${navigation(base, page.section)}</nav>
  <button type="button" class="session" data-session hidden>Connect</button>
</header>
${view.playMoney && playMoneyBanner(base)}
<p class="live-status" role="status" aria-live="polite"><span data-live-status></span> <span data-session-notice></span></p>
<main id="content" tabindex="-1">
${page.body}
</main>
<footer>
  <nav aria-label="Categories">${CATEGORIES.map(([name, text]) => html`<a href="${base}/categories/${name}">${text}</a>`)}</nav>
  <p>A price is a chance: YES at 63% means that traders see a chance of 63%. <a href="${view.apiUrl}/docs">API reference</a></p>
</footer>
${connectDialog(view)}
</body>
</html>
`.text;
}

/** Names the imported files too, so that the browser loads them at once instead of waiting for the script. */
function scriptTags(base: string, name: keyof typeof scripts): SafeHtml {
  const { path, imports } = scripts[name];
  return html`${imports.map((part) => html`<link rel="modulepreload" href="${base}${part}">`)}<script type="module" src="${base}${path}"></script>`;
}

function mark(): SafeHtml {
  return html`<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="8" class="mark" /><path d="M6 22l7-8 5 4 8-10" class="mark-line" /></svg>`;
}

function navigation(base: string, section: Page['section']): SafeHtml[] {
  const links = [
    ['markets', '/', 'Markets'],
    ['portfolio', '/portfolio', 'Portfolio'],
    ['creators', '/creators', 'Create'],
  ] as const;
  return links.map(
    ([name, path, text]) =>
      html`<a href="${base}${path}"${name === section && html` aria-current="page"`}>${text}</a>`,
  );
}
