/**
 * The server of `npm start`. Its configuration comes from the environment (settings.ts, docs/standalone.md).
 */
import { linesOf } from './one-line';
import { runServer } from './run';

runServer(process.env).catch((error: unknown) => {
  for (const line of linesOf(error)) process.stderr.write(`cannot start: ${line}\n`);
  process.exit(1);
});
