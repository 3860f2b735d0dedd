/**
 * Does what `npm run types` and `npm run lint` do, in one process: ESLint gets the programs whose types are checked
 * already, so the types are worked out once.
 */
import { ESLint } from 'eslint';
import { checkTypes, openPrograms } from './typescript-programs.mjs';

const { all, browser } = openPrograms();
checkTypes({ all, browser });

const parserOptions = { projectService: false, programs: [all, browser] };
const eslint = new ESLint({ overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parserOptions } }] });
const results = await eslint.lintFiles(['.']);
const { format } = await eslint.loadFormatter();
process.stdout.write(await format(results));
if (results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1;
