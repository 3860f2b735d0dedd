import { readFile } from 'node:fs/promises';
import { apiExamples } from '../../scripts/api-examples';
import { clientDocuments, type ClientDocuments } from '../../scripts/client-documents';
import type { OpenApiDocument } from '../../src/http/openapi/document';
import type { MediaType, Operation, ResponseObject } from '../../src/http/openapi/operation';
import { codesOfStatus } from '../../src/domain/errors';
import { problemAt } from './support/contract';
import { API, createService } from './support/service';

const JSON_TYPE = 'application/json';

let documents: ClientDocuments;
beforeAll(async () => {
  documents = await clientDocuments();
});

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

interface Refusal {
  /** For example `get /public/balance 401 UNAUTHORIZED`. */
  name: string;
  at: string[];
  example: unknown;
}

function refusalsOf(document: OpenApiDocument): Refusal[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, response]) => {
        const at = ['paths', path, method, 'responses', status, 'content', JSON_TYPE];
        const examples = response.content?.[JSON_TYPE]?.examples ?? {};
        return codesOf(status, response).map((code) => ({
          name: `${method} ${path} ${status} ${code}`,
          at,
          example: valueOf(document, examples[code]),
        }));
      }),
    ),
  );
}

function codesOf(status: string, { description }: ResponseObject): string[] {
  const lines = description.split('\n');
  return codesOfStatus(Number(status)).filter((code) => lines.some((line) => line.startsWith(`${code}: `)));
}

function valueOf({ components }: OpenApiDocument, example: object = {}): unknown {
  if (!('$ref' in example)) return (example as { value?: unknown }).value;
  const shared = components['examples'] as Record<string, { value: unknown }>;
  return shared[String(example.$ref).replace('#/components/examples/', '')]?.value;
}

function problemsOfRefusals(document: OpenApiDocument): string[] {
  return refusalsOf(document).flatMap(({ name, at, example }) => {
    if (example === undefined) return [`${name} has no example`];
    const problem = problemAt(document, [...at, 'schema'], example);
    return problem === null ? [] : [`${name}: ${problem}`];
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

it.each(['callers', 'operators'] as const)(
  'each code with which an operation of the %s may refuse has an example, which fits its schema',
  (name) => {
    expect(refusalsOf(documents[name]).length).toBeGreaterThan(150);
    expect(problemsOfRefusals(documents[name])).toEqual([]);
  },
);

it('the check of refusals sees an example that is missing, one that is wrong, and one of another code', () => {
  const path = `${API}/public/withdrawals/{id}`;
  const changed = structuredClone(documents.callers);
  changed.paths = { [path]: changed.paths[path] ?? {} };
  const { responses = {} } = changed.paths[path]?.get ?? {};
  const examplesOf = (status: string): object => responses[status]?.content?.[JSON_TYPE]?.examples ?? {};
  Object.assign(examplesOf('400'), { VALIDATION_ERROR: undefined });
  Object.assign(examplesOf('401'), { UNAUTHORIZED: { $ref: '#/components/examples/INTERNAL_ERROR' } });
  Object.assign(examplesOf('404'), { NOT_FOUND: { value: { code: 'NOT_FOUND' } } });
  expect(problemsOfRefusals(changed)).toEqual([
    expect.stringContaining('400 VALIDATION_ERROR has no example'),
    expect.stringMatching(/401 UNAUTHORIZED: .*code must be equal/),
    expect.stringMatching(/404 NOT_FOUND: .*must have required property/),
  ]);
});

it('a document has each shared refusal once, and none that it does not show', () => {
  for (const document of [documents.callers, documents.operators]) {
    const shown = JSON.stringify(document.paths).match(/#\/components\/examples\/[\w.]+/g);
    const shared = Object.keys(document.components['examples'] as object);
    expect([...new Set(shown)].sort()).toEqual(shared.map((name) => `#/components/examples/${name}`).sort());
  }
});

it('the examples are those of a service of today (npm run build:examples)', async () => {
  const written = await readFile('src/http/openapi/examples.generated.ts', 'utf8');
  expect(await apiExamples()).toBe(written);
});

it('an example is short, and has no key, secret or signature that looks real', () => {
  const examples = [documents.callers, documents.operators].flatMap((document) => [
    ...placesOf(document).map(({ content }) => content.example),
    ...refusalsOf(document).map(({ example }) => example),
  ]);
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
