/** The entry of the built server: refuses to run when the sources have changed since they were built. */
import { dirname } from 'node:path';
import { isOutdated } from './server-sources.mjs';

// The bundle is CommonJS, so it has `__dirname`.
const folder = __dirname;
if (isOutdated(dirname(folder), folder)) {
  process.stderr.write(
    'cannot start: the sources have changed since the server was built: run npm run build:server\n',
  );
  process.exit(1);
}
void import('../examples/standalone/main');
