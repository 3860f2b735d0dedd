/**
 * The exported names of each entry of the package, with their comments and signatures. They are read from the
 * syntax of the sources, which takes a fraction of the time that a compiler with all types takes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const PACKAGE = 'express-prediction-market';
const { exports: exported } = JSON.parse(readFileSync('package.json', 'utf8'));

const BUILT = readFileSync('tsup.config.ts', 'utf8');

/** The source of an entry, as the build has it: `./storage/memory` is adapters/storage/memory/index.ts. */
function sourceOf(entry) {
  const name = entry === '.' ? 'index' : entry.slice(2);
  return new RegExp(`^ +'?${name}'?: '([^']+)'`, 'm').exec(BUILT)?.[1];
}

const parsed = new Map();
function parse(path) {
  if (!parsed.has(path)) {
    parsed.set(path, ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true));
  }
  return parsed.get(path);
}

function resolved(from, specifier) {
  if (!specifier.startsWith('.')) return null;
  const path = join(dirname(from), specifier);
  return [`${path}.ts`, `${path}.tsx`, join(path, 'index.ts')].find((file) => existsSync(file)) ?? null;
}

const isExported = (node) =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

/** The declarations of a file by name: also those that are not exported, because `export { name }` may name them. */
function declarationsOf(file) {
  return file.statements.flatMap((node) => {
    if (ts.isVariableStatement(node)) {
      return node.declarationList.declarations.map(({ name }) => [name.getText(), node]);
    }
    return node.name === undefined ? [] : [[node.name.getText(), node]];
  });
}

/** Exported name -> declaration, through all re-exports of our own files. */
function exportsOf(path, seen = new Set()) {
  const found = new Map();
  if (seen.has(path)) return found;
  const file = parse(path);
  const own = declarationsOf(file);
  for (const [name, node] of own) if (isExported(node)) found.set(name, node);
  for (const node of file.statements.filter(ts.isExportDeclaration)) {
    const from = node.moduleSpecifier === undefined ? null : resolved(path, node.moduleSpecifier.text);
    if (node.moduleSpecifier !== undefined && from === null) continue;
    const there = from === null ? new Map(own) : exportsOf(from, new Set([...seen, path]));
    if (node.exportClause === undefined) {
      for (const [name, declaration] of there) found.set(name, declaration);
    } else if (ts.isNamedExports(node.exportClause)) {
      for (const { name, propertyName } of node.exportClause.elements) {
        const original = (propertyName ?? name).text;
        const declaration =
          there.get(original) ?? (from === null ? importedAs(path, file, original) : undefined);
        if (declaration !== undefined) found.set(name.text, declaration);
      }
    }
  }
  return found;
}

/** The declaration of a name that a file imports from another file of ours. */
function importedAs(path, file, wanted) {
  for (const node of file.statements.filter(ts.isImportDeclaration)) {
    const names = node.importClause?.namedBindings;
    if (names === undefined || !ts.isNamedImports(names)) continue;
    const element = names.elements.find(({ name }) => name.text === wanted);
    const from = element === undefined ? null : resolved(path, node.moduleSpecifier.text);
    if (from !== null) return exportsOf(from).get((element.propertyName ?? element.name).text);
  }
  return undefined;
}

function commentOf(node) {
  const [comment] = (ts.getJSDocCommentsAndTags(node) ?? []).filter(ts.isJSDoc);
  return comment === undefined ? '' : (ts.getTextOfJSDocComment(comment.comment) ?? '');
}

/** The text of a declaration without the bodies of its functions and without initial values of many lines. */
function signatureOf(node) {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return node.getText();
  const text = node.getText();
  const start = node.getStart();
  const cuts = [];
  const visit = (child) => {
    const { body } = child;
    if (body !== undefined && ts.isBlock(body)) cuts.push([body.getStart() - start, body.end - start]);
    else if (
      ts.isVariableDeclaration(child) &&
      child.initializer !== undefined &&
      isLong(child.initializer)
    ) {
      cuts.push([child.initializer.getStart() - start, child.initializer.end - start]);
    } else ts.forEachChild(child, visit);
  };
  visit(node);
  return cuts.reduceRight((rest, [from, to]) => `${rest.slice(0, from)}…${rest.slice(to)}`, text);
}

const isLong = (node) => node.getText().split('\n').length > 12;

/** Escapes `#` at the beginning of a line, so that a comment does not begin a heading. */
const asProse = (comment) => comment.replace(/^#/gm, '\\#');

function pageOf(entry, path) {
  const name = entry === '.' ? PACKAGE : `${PACKAGE}/${entry.slice(2)}`;
  const names = [...exportsOf(path)].sort(([one], [other]) => (one < other ? -1 : 1));
  const list = names.map(
    ([exportedName, node]) =>
      `## ${exportedName}\n\n${asProse(commentOf(node))}\n\n\`\`\`ts\n${signatureOf(node).replace(/^export /, '')}\n\`\`\`\n`,
  );
  const intro =
    /^\/\*\*([^]*?)\*\//
      .exec(readFileSync(path, 'utf8'))?.[1]
      ?.replace(/^ ?\* ?/gm, '')
      .trim() ?? '';
  return {
    name: nameOf(entry),
    title: name,
    text: `# \`${name}\`\n\n${asProse(intro)}\n\n${list.join('\n')}`,
  };
}

const nameOf = (entry) => `types-${entry === '.' ? 'index' : entry.slice(2).replaceAll('/', '-')}`;

/** One page for each entry, and one that lists them. */
export function typePages() {
  const entries = Object.keys(exported).filter((entry) => sourceOf(entry) !== undefined);
  const pages = entries.map((entry) => pageOf(entry, sourceOf(entry)));
  const items = pages.map(({ name, title }) => `- [\`${title}\`](${name}.md)`);
  const text = `# Types\n\nWhat each entry of the package exports, with its types and their comments.\n\n${items.join('\n')}\n`;
  return [{ name: 'types', title: 'Types', text }, ...pages];
}
