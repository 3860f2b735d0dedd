/**
 * Corrects the comments of views and events that differ from the descriptions of the schemas. `npm run build:client`
 * runs this script.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import ts from 'typescript';
import { viewComments, type ViewComment } from './view-comments';

const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: object };
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, '.');
const program = ts.createProgram(['src/index.ts', 'src/client/index.ts'], options);
const stale = viewComments({ program, checker: program.getTypeChecker() }).filter(
  ({ text, expected }) => text.replace(/\s+/g, ' ') !== expected,
);
const fileOf = ({ declaration }: ViewComment): string => declaration.getSourceFile().fileName;
const files = [...new Set(stale.map(fileOf))];
for (const file of files) {
  const comments = stale.filter((each) => fileOf(each) === file);
  writeFileSync(file, withComments(readFileSync(file, 'utf8'), comments));
}
if (files.length > 0) execFileSync('npx', ['prettier', '--write', '--log-level', 'warn', ...files]);

function withComments(text: string, comments: readonly ViewComment[]): string {
  return [...comments]
    .sort((a, b) => b.declaration.pos - a.declaration.pos)
    .reduce((rest, { declaration, expected }) => {
      const start = declaration.getStart();
      const [old] = ts.getJSDocCommentsAndTags(declaration);
      const before = rest.slice(0, old?.pos ?? start);
      const isFirstOfLine = /\n *$/.test(before);
      const after = rest.slice(old?.end ?? start).trimStart();
      return `${before}${isFirstOfLine ? '' : '\n'}${commentOf(expected)}\n${after}`;
    }, text);
}

function commentOf(sentence: string): string {
  const lines = (sentence.match(/.{1,105}(?:\s|$)/g) ?? []).map((line) => line.trim());
  return lines.length === 1 ? `/** ${lines[0]} */` : `/**\n * ${lines.join('\n * ')}\n */`;
}
