/**
 * What `npm ci` deletes and builds in a checkout. The script `prepare` of the workspace `examples/standalone` calls
 * this file where it exists. The packed package does not have it.
 */
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));
await import('./prune-packages.mjs');
await import('./build-server.mjs');
await import('./build-docs.mjs');
