/** Writes src/client/live/messages.generated.ts. `npm run build:client` runs this script. */
import { writeFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { headingOf } from './client-source';
import { tidied } from './client-types';
import { liveSource } from './live-source';

const source = liveSource();
const tree = await openapiTypescript(source, {
  alphabetize: true,
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  silent: true,
});
const types = tidied(astToString(tree));
await writeFile(
  'src/client/live/messages.generated.ts',
  headingOf(source, types, 'build-live-types.ts') + types,
);
