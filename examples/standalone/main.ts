/**
 * The server of `npm start`. Its configuration comes from the environment (settings.ts, docs/standalone.md).
 */
import { firstLine } from './one-line';
import { runServer } from './run';

runServer(process.env).catch((error: unknown) => {
  process.stderr.write(`cannot start: ${firstLine(error)}\n`);
  process.exit(1);
});
