/** The examples of the OpenAPI documents: every operation has one, and a service has given each of them. */
import { readFile } from 'node:fs/promises';
import { apiExamples } from '../../scripts/api-examples';
import { clientDocuments, type ClientDocuments } from '../../scripts/client-documents';
import type { OpenApiDocument } from '../../src/http/openapi/document';
import type { MediaType, Operation } from '../../src/http/openapi/operation';
import { problemAt } from './support/contract';
import { API, createService } from './support/service';

const JSON_TYPE = 'application/json';

let documents: ClientDocuments;
beforeAll(async () => {
  documents = await clientDocuments();
});

/** A place of a document at which a schema has, or should have, an example beside it. */
interface Place {
  at: (string | number)[];
  content: Pick<MediaType, 'schema' | 'example'>;
  isRequired: boolean;
}

function placesOf({ paths, webhooks }: OpenApiDocument): Place[] {
  const all = [...Object.entries({ paths }), ...Object.entries({ webhooks })];
  return all.flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Operation>).flatMap(([method, operation]) =>
        placesIn(operation, [section, path, method]),
      ),
    ),
  );
}

function placesIn({ parameters = [], requestBody, responses }: Operation, at: string[]): Place[] {
  const places = parameters.map((parameter, index) => ({
    at: [...at, 'parameters', index],
    content: parameter,
    isRequired: parameter.required && parameter.in !== 'header',
  }));
  const contents = [
    { at: [...at, 'requestBody', 'content', JSON_TYPE], content: requestBody?.content[JSON_TYPE] },
    ...Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { content }]) => ({
        at: [...at, 'responses', status, 'content', JSON_TYPE],
        content: content?.[JSON_TYPE],
      })),
  ];
  const isOurs = ({ schema = {} }: Partial<MediaType> = {}): boolean => Object.keys(schema).length > 0;
  return [
    ...places,
    ...contents.flatMap(({ at: place, content }) =>
      content !== undefined && isOurs(content) ? [{ at: place, content, isRequired: true }] : [],
    ),
  ];
}

function problemsOf(document: OpenApiDocument): string[] {
  return placesOf(document).flatMap(({ at, content: { example }, isRequired }) => {
    if (example === undefined) return isRequired ? [`${at.join(' ')} has no example`] : [];
    const problem = problemAt(document, [...at, 'schema'], example);
    return problem === null ? [] : [`${at.join(' ')}: ${problem}`];
  });
}

function listsIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(listsIn);
  return Array.isArray(value) ? [value, ...inside] : inside;
}

it.each(['callers', 'operators'] as const)(
  'each parameter that is needed, each body and each answer of the %s has an example, which fits its schema',
  (name) => {
    expect(placesOf(documents[name]).length).toBeGreaterThan(70);
    expect(problemsOf(documents[name])).toEqual([]);
  },
);

it('the check sees an example that is missing and one that is wrong', () => {
  const changed = structuredClone(documents.callers);
  const health = changed.paths[`${API}/health`]?.get?.responses['200']?.content?.[JSON_TYPE];
  const list = changed.paths[`${API}/auth/keys`]?.get;
  Object.assign(health ?? {}, { example: { status: 'bad' } });
  delete list?.parameters?.[0]?.example;
  delete list?.responses['200']?.content?.[JSON_TYPE]?.example;
  expect(problemsOf(changed).sort()).toEqual([
    expect.stringContaining(`${API}/auth/keys get parameters 0 has no example`),
    expect.stringContaining(`${API}/auth/keys get responses 200 content ${JSON_TYPE} has no example`),
    expect.stringContaining('data/status must be equal'),
  ]);
});

it('the examples are those of a service of today (npm run build:examples)', async () => {
  const written = await readFile('src/http/openapi/examples.generated.ts', 'utf8');
  expect(await apiExamples()).toBe(written);
});

it('an example is short, and has no key, secret or signature that looks real', () => {
  const examples = [documents.callers, documents.operators]
    .flatMap(placesOf)
    .map(({ content }) => content.example);
  const long = examples.flatMap(listsIn).filter((list) => list.length > 2);
  expect(long.filter((list) => list.some((entry) => typeof entry === 'object'))).toEqual([]);
  const secrets = JSON.stringify(examples).match(/(?:pmk|whsec)_[^"…]{5,}|0x[0-9a-f]{130}/g);
  expect([...new Set(secrets)].sort()).toEqual([
    `0x${'5e'.repeat(65)}`,
    `pmk_${'Example'.repeat(5)}0`,
    'whsec_ZXhhbXBsZQ==',
  ]);
});

it('a body that the options of the host refuse is no example', async () => {
  const service = await createService({ smallestWithdrawal: 50 });
  const document = (await service.call('get', `${API}/openapi.json`)).body as OpenApiDocument;
  const exampleIn = ({ paths }: OpenApiDocument): unknown =>
    paths[`${API}/public/withdrawals`]?.post?.requestBody?.content[JSON_TYPE]?.example;
  expect(exampleIn(documents.callers)).toEqual({ amount: 20 });
  expect(exampleIn(document)).toBeUndefined();
  await service.close();
});
