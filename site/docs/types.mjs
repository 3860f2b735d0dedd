/** The pages of the reference of types: for each entry of the package its names, in groups by task. */
import ts from 'typescript';
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

function entryOf(heading, { comment, examples, signature }, language) {
  const codes = [...examples, signature].map((code) => fence(code, language));
  return [`${heading}\n`, `${asProse(comment)}\n`, ...codes].join('\n');
}

const partsOf = (node) => ({
  comment: commentOf(node),
  examples: examplesOf(node),
  signature: signatureOf(node).replace(/^export /, ''),
});

/** An interface whose members have an entry each. A part of it that has a title begins a section. */
function withMembers(name, node, prefix, { level = 3, language }) {
  const own = entryOf(`### ${name}`, { ...partsOf(node), signature: headOf(node) });
  let part = '';
  const members = membersOf(node).map((member) => {
    const begin = member.part === part ? '' : `## Methods: ${member.part}\n\n`;
    part = member.part;
    return begin + entryOf(`${'#'.repeat(level)} ${prefix}${member.name}`, member, language);
  });
  return [own, ...members].join('\n');
}

function named(name, node, group) {
  const prefix = group.members?.[name];
  if (prefix === undefined) return entryOf(`### ${name}`, partsOf(node));
  return withMembers(name, node, prefix, group);
}

/** The names of each group. A name that a group lists belongs to this group, whatever its file is. */
export function grouped(entry) {
  const names = exportsOf(sourceOf(entry));
  const groups = GROUPS[entry] ?? [];
  const listed = new Set(groups.flatMap(({ names: own = [] }) => own));
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
const slug = (title) =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

function groupedPages(entry) {
  const groups = grouped(entry);
  const contents = groups
    .map(({ title, text, page }) => `- [${title}](${nameOf(entry, page)}.md#${slug(title)}): ${text}`)
    .join('\n');
  return [...new Set(groups.map(({ page }) => page))].map((page) => {
    const own = groups.filter((group) => group.page === page);
    const sections = own.map((group) => {
      const list = group.names.map(([name, node]) => named(name, node, group));
      const contract = group.contract === undefined ? '' : `${asProse(introOf(group.contract))}\n\n`;
      return `## ${group.title}\n\n${contract}${list.join('\n')}`;
    });
    const title = page === undefined ? titleOf(entry) : `${titleOf(entry)}: ${page}`;
    const intro =
      page === undefined
        ? `${asProse(introOf(sourceOf(entry)))}\n\n${contents}`
        : `A part of [\`${titleOf(entry)}\`](${nameOf(entry)}.md).\n\n${own.map(({ title: name, text }) => `- [${name}](#${slug(name)}): ${text}`).join('\n')}`;
    return { name: nameOf(entry, page), title, text: `# \`${title}\`\n\n${intro}\n\n${sections.join('\n')}` };
  });
}

/** Functions and classes come before types, and otherwise the order is that of the source. */
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
  const pages = entries.flatMap((entry) =>
    GROUPS[entry] === undefined ? [plainPage(entry)] : groupedPages(entry),
  );
  const items = pages.map(({ name, title }) => `- [\`${title}\`](${name}.md)`);
  const text = `# Types\n\nWhat each entry of the package exports, with its types and their comments.\n\n${items.join('\n')}\n`;
  return [{ name: 'types', title: 'Types', text }, ...pages];
}
