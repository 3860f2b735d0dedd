/**
 * Writes src/http/openapi/examples.generated.ts (`npm run build:examples`). Run it after every change of a route, a
 * schema or a view; test/http/openapi-examples.test.ts compares the file with a new run.
 */
import { writeFile } from 'node:fs/promises';
import { apiExamples } from './api-examples';

await writeFile('src/http/openapi/examples.generated.ts', await apiExamples());
