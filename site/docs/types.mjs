/** The pages of the reference of types: for each entry of the package its names, in groups by task. */
import ts from 'typescript';
import { slugOf } from './markdown.mjs';
import { GROUPS } from './type-groups.mjs';
import {
  commentOf,
  entries,
  examplesOf,
  exportsOf,
  headOf,
  introOf,
  membersOf,
  signatureOf,
  sourceOf,
} from './type-sources.mjs';

const PACKAGE = 'express-prediction-market';

/** Escapes `#` at the beginning of a line, so that a comment does not begin a heading. */
const asProse = (comment) => comment.replace(/^#/gm, '\\#');

const fence = (code, language = 'ts') => `\`\`\`${language}\n${code}\n\`\`\`\n`;

function entryOf(heading, { comment, examples, signature }, { language, addresses = new Map() } = {}) {
  const codes = [...examples, signature].map((code) => fence(code, language));
  const types = [...new Set(signature.match(/\b[A-Z]\w+/g))].flatMap((name) => addresses.get(name) ?? []);
  const links = types.length === 0 ? [] : [`Types: ${types.join(', ')}\n`];
  return [`${heading}\n`, `${asProse(comment)}\n`, ...codes, ...links].join('\n');
}

const partsOf = (node) => ({
  comment: commentOf(node),
  examples: examplesOf(node),
  signature: signatureOf(node).replace(/^export /, ''),
});

/** An interface whose members have an entry each. A part of the interface that has a title begins a section. */
function withMembers(name, node, prefix, { level = 3, ...more }) {
  const own = entryOf(`### ${name}`, { ...partsOf(node), signature: headOf(node) });
  let part = '';
  const members = membersOf(node).map((member) => {
    const begin = member.part === part ? '' : `## Methods: ${member.part}\n\n`;
    part = member.part;
    return begin + entryOf(`${'#'.repeat(level)} ${prefix}${member.name}`, member, more);
  });
  return [own, ...members].join('\n');
}

function named(name, node, group) {
  const prefix = group.members?.[name];
  if (prefix === undefined) return entryOf(`### ${name}`, partsOf(node));
  return withMembers(name, node, prefix, group);
}

/** The groups with their names. A name that a group lists is in this group, whichever file declares the name. */
function grouped(entry) {
  const names = exportsOf(sourceOf(entry));
  const groups = GROUPS[entry] ?? [];
  const listed = new Set(groups.flatMap(({ names: own = [] }) => own));
  for (const name of listed)
    if (!names.has(name)) throw new Error(`site/docs/type-groups.mjs: ${entry} does not export ${name}`);
  const unlisted = [...names].filter(([name]) => !listed.has(name));
  const groupOf = ([, node]) =>
    groups.find(({ files }) => files?.test(node.getSourceFile().fileName)) ?? groups.at(-1);
  return groups.map((group) => ({
    ...group,
    names: [
      ...(group.names ?? []).map((name) => [name, names.get(name)]),
      ...unlisted.filter((each) => groupOf(each) === group),
    ],
  }));
}

const baseOf = (entry) => `types-${entry === '.' ? 'index' : entry.slice(2).replaceAll('/', '-')}`;
const nameOf = (entry, page = '') => (page === '' ? baseOf(entry) : `${baseOf(entry)}-${page}`);
const titleOf = (entry) => (entry === '.' ? PACKAGE : `${PACKAGE}/${entry.slice(2)}`);
const linkTo = (entry) => `[\`${titleOf(entry)}\`](${nameOf(entry)}.md)`;

function groupedPages(entry) {
  const groups = grouped(entry);
  const addresses = new Map(
    groups.flatMap(({ names, page }) =>
      names.map(([name]) => [name, `[\`${name}\`](${nameOf(entry, page)}.md#${slugOf(name)})`]),
    ),
  );
  const lineOf = ({ title, text, page }) =>
    `- [${title}](${nameOf(entry, page)}.md#${slugOf(title)}): ${text}`;
  return [...new Set(groups.map(({ page }) => page))].map((page) => {
    const own = groups.filter((group) => group.page === page);
    const sections = own.map((group) => {
      const list = group.names.map(([name, node]) => named(name, node, { ...group, addresses }));
      const contract = group.contract === undefined ? '' : `${asProse(introOf(group.contract))}\n\n`;
      return `## ${group.title}\n\n${contract}${list.join('\n')}`;
    });
    const title = page === undefined ? titleOf(entry) : `${titleOf(entry)}: ${page}`;
    const intro = page === undefined ? asProse(introOf(sourceOf(entry))) : `A part of ${linkTo(entry)}.`;
    const contents = (page === undefined ? groups : own).map(lineOf);
    const list = contents.length > 1 ? `\n\n${contents.join('\n')}` : '';
    return {
      name: nameOf(entry, page),
      title,
      text: `# \`${title}\`\n\n${intro}${list}\n\n${sections.join('\n')}`,
    };
  });
}

/** Names with a value, such as functions, come before types. Otherwise the order is that of the source. */
function plainPage(entry) {
  const isType = ([, node]) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  const names = [...exportsOf(sourceOf(entry))];
  const list = [...names.filter((each) => !isType(each)), ...names.filter(isType)].map(([name, node]) =>
    entryOf(`## ${name}`, partsOf(node)),
  );
  const title = titleOf(entry);
  const text = `# \`${title}\`\n\n${asProse(introOf(sourceOf(entry)))}\n\n${list.join('\n')}`;
  return { name: nameOf(entry), title, text };
}

/** The pages of each entry, and one that lists them. */
export function typePages() {
  const pages = entries.map((entry) =>
    GROUPS[entry] === undefined ? [plainPage(entry)] : groupedPages(entry),
  );
  const items = entries.map((entry, index) => {
    const further = pages[index].slice(1).map(({ name, title }) => `[${title.split(': ')[1]}](${name}.md)`);
    return `- ${linkTo(entry)}${further.length === 0 ? '' : `, with ${further.join(', ')}`}`;
  });
  const text = `# Types\n\nWhat each entry of the package exports, with its types and their comments.\n\n${items.join('\n')}\n`;
  return [{ name: 'types', title: 'Types', text }, ...pages.flat()];
}
