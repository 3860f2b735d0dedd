/**
 * Usage: node run-program.cjs <file> <arguments of the program>. The first process stores the compiled code, so
 * that later processes start faster.
 */
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { Script, constants } = require('node:vm');

process.argv.splice(1, 1);
const file = process.argv[1];
const compiled = `${file}.compiled`;
const isCompiled = existsSync(compiled);
const names = 'exports, require, module, __filename, __dirname';
const text = readFileSync(file, 'latin1').replace(/^#!.*/, '');
const script = new Script(`(function (${names}) {${text}\n})`, {
  filename: file,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  cachedData: isCompiled ? readFileSync(compiled) : undefined,
});
const loaded = { exports: {} };
script.runInThisContext()(loaded.exports, createRequire(file), loaded, file, dirname(file));

if (!isCompiled) {
  // Other processes may start at the same time. The rename lets them see either no file or a complete file.
  const own = `${compiled}.${process.pid}`;
  writeFileSync(own, script.createCachedData());
  renameSync(own, compiled);
}
