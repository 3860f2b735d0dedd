/**
 * What `npm ci` deletes and builds in a checkout. The workspace `examples/standalone` calls this file. If the package
 * itself had a script `prepare`, npm would warn each installer of the package of it. The packed package lacks this
 * file, so the workspace calls it only where it exists.
 */
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));
await import('./prune-packages.mjs');
await import('./build-server.mjs');
await import('./build-docs.mjs');
