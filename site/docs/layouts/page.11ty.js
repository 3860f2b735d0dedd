/** The layout of the pages: head, search, navigation, and the text. */
import { addressOf } from '../navigation.mjs';
import { escapeHtml } from '../markdown.mjs';

const PRODUCT = 'express-prediction-market';

export default function page({
  content,
  title,
  navigation,
  page: { url },
  wide = false,
  scripts = [],
  styles = [],
}) {
  const address = url.replace(/^\//, '').replace(/\.html$/, '');
  const root = '../'.repeat(address.split('/').length - 1) || './';
  const isHome = address === '' || address === 'index';
  const contents = wide || isHome ? '' : contentsOf(content);
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${descriptionTagOf(content)}
<title>${isHome ? `${PRODUCT}: documentation` : `${escapeHtml(title)} · ${PRODUCT}`}</title>
<link rel="icon" href="${root}assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}assets/docs.css">
${styles.map((name) => `<link rel="stylesheet" href="${root}assets/${name}">`).join('\n')}
<script src="${root}assets/theme.js"></script>
<script src="${root}assets/docs.js" defer></script>
${scripts.map((name) => `<script src="${root}assets/${name}" defer></script>`).join('\n')}
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<button class="icon-button menu-button" type="button" aria-expanded="false" aria-controls="navigation"><span aria-hidden="true">☰</span><span class="sr">Pages</span></button>
<a class="brand" href="${root}"><img src="${root}assets/icon.svg" alt="" width="24" height="24"> <span>${PRODUCT}</span></a>
<form class="search" role="search"><label class="sr" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search  ( / )" autocomplete="off" aria-controls="results">
<div id="results" class="results" hidden><p class="count" role="status"></p><ol></ol></div></form>
<button class="icon-button theme-button" type="button"><span aria-hidden="true">◐</span><span class="sr">Colours</span></button>
</header>
<div class="frame${contents === '' ? ' without-contents' : ''}">
<nav id="navigation" class="pages" aria-label="Documentation">
${navigation.map((section) => sectionOf(section, root, address)).join('\n')}
</nav>
<main id="content" tabindex="-1"${isHome ? ' class="home"' : ''}>
${content}
${isHome || wide ? '' : neighbours(navigation, root, address)}
</main>
${contents}
</div>
</body>
</html>
`;
}

const LONGEST_DESCRIPTION = 160;

/** The beginning of the first paragraph. Its text is HTML already, in which only quotes are not escaped. */
function descriptionTagOf(content) {
  const [, paragraph = ''] = /<p(?: class="lead")?>([^]*?)<\/p>/.exec(content) ?? [];
  const text = paragraph
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll('"', '&quot;')
    .trim();
  if (text === '') return '';
  const isShort = text.length <= LONGEST_DESCRIPTION;
  const shown = isShort ? text : `${text.slice(0, LONGEST_DESCRIPTION).replace(/\s\S*$/, '')} …`;
  return `<meta name="description" content="${shown}">`;
}

function sectionOf({ title, entries }, root, address) {
  const items = entries.map(([path, name]) => {
    const target = addressOf(path);
    const isHere = target === address || (target === 'types' && address.startsWith('types-'));
    return `<li><a href="${root}${target}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`;
  });
  return `<h2>${title}</h2>\n<ul>${items.join('')}</ul>`;
}

function contentsOf(content) {
  const headings = [...content.matchAll(/<h([23]) id="([^"]+)">([^]*?)<\/h\1>/g)];
  if (headings.length < 3) return '';
  const items = headings.map(
    ([, level, id, text]) =>
      `<li class="level-${level}"><a href="#${id}">${text.replace(/<\/?a[^>]*>/g, '')}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

/** Links to the page before and the page after, in the order of the navigation. */
function neighbours(navigation, root, address) {
  const pages = navigation.flatMap(({ entries }) => entries).filter(([path]) => !path.includes('#'));
  const here = pages.findIndex(([path]) => addressOf(path) === address);
  if (here === -1) return '';
  const link = (entry, label) =>
    entry === undefined
      ? '<span></span>'
      : `<a href="${root}${addressOf(entry[0])}"><small>${label}</small>${escapeHtml(entry[1])}</a>`;
  return `<nav class="neighbours" aria-label="Next pages">${link(pages[here - 1], 'Before')}${link(pages[here + 1], 'Next')}</nav>`;
}
