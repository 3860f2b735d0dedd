/**
 * The types of the client, from the two OpenAPI documents. The file begins with a hash of its source and a hash of its
 * types. The hashes show an outdated or edited file without a run of the generator, which takes seconds.
 */
import openapiTypescript, { astToString } from 'openapi-typescript';
import { headingOf, sourceOf } from './client-source';
import type { OpenApiDocument } from '../src/http/openapi/document';

/** What the generator writes for each method and each kind of parameter that a path does not have. */
const ABSENT = /^ +\w+\?: never;\n/gm;

/** A tag that editors would show before the text. It stays where another tag precedes it. */
const FIRST_TAG = /(\/\*\*(?:(?!\*\/|@)[^])*)@description /g;

/** A comment `@enum`, which repeats values that the type shows. */
const ENUM = /^ +(?:\/\*\* @enum \{[^}]+\} \*\/|\* @enum \{[^}]+\})\n/gm;

/** An optional field of an input. In the type `paths`, only inputs have optional fields: answers refer to schemas. */
const OPTIONAL_INPUT = /^( +[\w"-]+\?: .+);$/gm;

/** Lets inputs be `undefined`, which is as good as absent. Otherwise `exactOptionalPropertyTypes` would refuse it. */
function withUndefined(types: string): string {
  const [paths = '', ...others] = types.split(/^(?=export )/m);
  return [paths.replace(OPTIONAL_INPUT, '$1 | undefined;'), ...others].join('');
}

/** The generated text, without what editors would only show as noise. */
export const tidied = (types: string): string =>
  types.replace(ABSENT, '').replace(FIRST_TAG, '$1').replace(ENUM, '');

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
  const written = withUndefined(tidied(astToString(types)));
  return headingOf(source, written) + written;
}
