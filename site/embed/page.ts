/** A market in a frame of another site: its question, its prices or its outcome, and its chart. */
import { scripts, style } from '../assets.generated';
import { html, type SafeHtml } from '../html';
import { ICON_LINK } from '../icon';
import type { View } from '../layout';
import type { MarketData } from '../pages/market-data';
import { embedFragments } from './fragments';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function readTheme(text: string | null): Theme {
  return THEMES.find((theme) => theme === text) ?? 'auto';
}

interface Frame {
  view: View;
  title: string;
  /** The address of the market's own page. */
  home: string;
  theme: Theme;
  attributes: SafeHtml;
  body: SafeHtml;
}

export function embedPage(view: View, data: MarketData, theme: Theme): string {
  const { market } = data;
  const home = `${view.siteUrl || view.base}/market/${encodeURIComponent(market.slug)}`;
  const parts = Object.entries(embedFragments(view.now, data));
  const attributes = html` data-market="${market.id}" data-slug="${market.slug}"`;
  const body = html`<h1 dir="auto"><a href="${home}" target="_blank" rel="noopener">${market.question}</a></h1>
${parts.map(([id, part]) => html`<div id="${id}">${part}</div>`)}
<p class="embed-foot"><a href="${home}" target="_blank" rel="noopener">${view.title}</a>${view.playMoney && html` <span class="tag">Play money</span>`} <span class="muted" data-live-status role="status"></span></p>`;
  return frame({ view, title: market.question, home, theme, attributes, body });
}

/** What a frame shows in place of a market. */
export function embedNotice(view: View, text: string, theme: Theme): string {
  const home = `${view.siteUrl || view.base}/`;
  const body = html`<p>${text}</p><p><a href="${home}" target="_blank" rel="noopener">${view.title}</a></p>`;
  return frame({ view, title: view.title, home, theme, attributes: html``, body });
}

function frame({ view, title, home, theme, attributes, body }: Frame): string {
  const { path, imports } = scripts.embed;
  const { base } = view;
  return html`<!doctype html>
<html lang="en" class="theme-${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="canonical" href="${home}">
${ICON_LINK}
<link rel="stylesheet" href="${base}${style}">
${imports.map((part) => html`<link rel="modulepreload" href="${base}${part}">`)}<script type="module" src="${base}${path}"></script>
</head>
<body class="embed" data-base="${base}" data-api="${view.apiUrl}">
<main${attributes}>
${body}
</main>
</body>
</html>
`.text;
}
