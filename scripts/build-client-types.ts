/**
 * Writes src/client/api.generated.ts. Run it (`npm run build:client`) after every change of a route, a schema or
 * a view.
 */
import { writeFile } from 'node:fs/promises';
import { clientDocuments } from './client-documents';
import { clientTypes } from './client-types';

const { callers, operators } = await clientDocuments();
await writeFile('src/client/api.generated.ts', await clientTypes(callers, operators));
