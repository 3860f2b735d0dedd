/**
 * The types of the client, from the two OpenAPI documents. The file begins with a hash of its source and a hash of its
 * types. By these hashes, a test finds an outdated or edited file without running the generator, which takes seconds.
 */
import openapiTypescript, { astToString } from 'openapi-typescript';
import { headingOf, sourceOf } from './client-source';
import type { OpenApiDocument } from '../src/http/openapi/document';

/** What the generator writes for each method and each kind of parameter that a path does not have. */
const ABSENT = /^ +\w+\?: never;\n/gm;

export async function clientTypes(callers: OpenApiDocument, operators: OpenApiDocument): Promise<string> {
  const source = sourceOf(callers, operators);
  const types = await openapiTypescript(source, {
    alphabetize: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  const written = astToString(types).replace(ABSENT, '');
  return headingOf(source, written) + written;
}
