/**
 * What `npm ci` deletes and builds in a checkout. The packed package has the results and lacks the sources, so
 * package.json calls this file only where it exists.
 */
await import('./prune-packages.mjs');
await import('./build-server.mjs');
await import('./build-docs.mjs');
