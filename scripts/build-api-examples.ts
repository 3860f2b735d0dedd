/**
 * Writes src/http/openapi/examples.generated.ts (`npm run build:examples`). Run it after every change of a route, a
 * schema or a view.
 */
import { writeFile } from 'node:fs/promises';
import { apiExamples } from './api-examples';

await writeFile('src/http/openapi/examples.generated.ts', await apiExamples());
