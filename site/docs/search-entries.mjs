/** What the search can find: the sections of the pages, and the definitions of names in them. */

/** The text of a piece of HTML, without its tags, its code labels, its pictures and its summaries. */
function plain(html) {
  return html
    .replace(/<p class="code-label">[^]*?<\/p>|<svg[^]*?<\/svg>|<summary>[^]*?<\/summary>/g, ' ')
    .replace(/<\/?span[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

const CODE = /<pre[^>]* aria-label="(?:JavaScript|TypeScript|[\w.-]+\.m[jt]s)">[^]*?<\/pre>/g;

/** The sections whose list items and table rows define the names with which they begin. */
const LISTS_OF_DEFINITIONS =
  /^(standalone#(environment|who-resolves-markets|sample-markets)|embedding#(options|the-documentation)|pages#options|errors#codes)$/;
/**
 * The headings of the page of commands that define a command. Four headings are left out, because another section
 * explains the same word, and a search for the word should find that section first.
 */
const COMMAND = /^command-line#(?!(?:deposits|withdrawals|webhooks|consumers)$)[\w-]+$/;
/** Headings of the reference with a method of `pm` or `client`, or a name such as `createClient` or `ERROR_TABLE`. */
const NAME_OF_TYPES = /^(?=.*([a-z][A-Z]|_|^pm\.|^client\.))[\w.]+$/;

/**
 * The entries of a page: `{ id, title, page, text, code }`, where `id` is the address. In a search, `code` counts less
 * than `text`. `names` are the names that an entry defines, and `isPart` marks a definition inside of a section.
 */
export function sectionsOf({ url, content }) {
  const main = /<main[^>]*>([^]*?)<\/main>/.exec(content)?.[1] ?? '';
  const address = url.replace(/^\//, '').replace(/\.html$/, '');
  const page = plain(/<h1[^>]*>([^]*?)<\/h1>/.exec(main)?.[1] ?? '');
  const parts = main.replace(/<nav class="neighbours"[^]*$/, '').split(/(?=<h[1-4] id=")/);
  return parts.flatMap((part) => {
    const [heading, id, title] = /^<h[1-4] id="([^"]+)">([^]*?)<\/h[1-4]>/.exec(part) ?? [];
    if (heading === undefined) return [];
    // Of the reference of types, only the comments are text. The names in its code would push the pages that explain
    // them out of the results.
    const body = part.slice(heading.length);
    const isOfTypes = address.startsWith('types');
    const text = plain(body.replace(isOfTypes ? /<pre[^]*?<\/pre>/g : CODE, ''));
    const code = isOfTypes ? '' : plain((body.match(CODE) ?? []).join(' '));
    const section = { id: `${address}#${id}`, title: plain(title), page, text, code };
    if (part.startsWith('<h1')) return [{ ...section, id: address, title: page }];
    const definitions = LISTS_OF_DEFINITIONS.test(section.id) ? definitionsIn(body, section) : [];
    return [{ ...section, ...namesOf(section, heading, body) }, ...definitions];
  });
}

/**
 * The names that a section defines by its heading, and the options of commands that it names. A method is found with
 * and without `pm.`, and `client.trades.place` also as `trades.place`.
 */
function namesOf({ id, title }, heading, body) {
  const isEvent = id.startsWith('types-index#') && heading.startsWith('<h4');
  const isDefinition = id.startsWith('types')
    ? isEvent || NAME_OF_TYPES.test(title)
    : COMMAND.test(id) && !title.includes(' ');
  const names = isDefinition ? [title, title.replace(/^pm\.|^client\.(?=\w+\.)/, '')] : [];
  if (id.startsWith('command-line#'))
    names.push(...[...body.matchAll(/<code>(--[a-z][\w-]*)/g)].map(([, option]) => option));
  return names.length > 0 ? { names: [...new Set(names)] } : {};
}

/** The names with anchors that begin the list items and the table rows of a section. */
function definitionsIn(body, { id, page }) {
  const [address] = id.split('#');
  return [...body.matchAll(/<code id="([^"]+)">([^<]+)<\/code>/g)].map(({ index, 1: anchor, 2: name }) => {
    const start = Math.max(body.lastIndexOf('<li>', index), body.lastIndexOf('<tr>', index));
    const [item] = body.slice(start + 4).split(/<\/?(?:li|ul|ol|tr|div|pre)\b/);
    return {
      id: `${address}#${anchor}`,
      title: name,
      page,
      text: plain(item),
      code: '',
      names: [name],
      isPart: true,
    };
  });
}
