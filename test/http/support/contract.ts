import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Response } from 'supertest';
import type { OpenApiDocument } from '../../../src/http/openapi/document';
import type { Operation } from '../../../src/http/openapi/operation';

export interface Contract {
  /** @throws for an answer that breaks the document. Ignores paths that are not in the document. */
  check(method: string, path: string, response: Response): void;
  /** One entry such as `get /api/v2/ready 200` for each declared answer that has been seen. */
  seen: ReadonlySet<string>;
}

/** The keys are the texts of documents, because compiling takes long and most services serve the same document. */
const compiled = new Map<string, Ajv>();
/** The keys are the document objects, which are found faster than long texts. */
const known = new WeakMap<OpenApiDocument, Ajv>();

function schemasOf(document: OpenApiDocument): Ajv {
  const ajv = known.get(document) ?? schemasOfText(document);
  known.set(document, ajv);
  return ajv;
}

function schemasOfText(document: OpenApiDocument): Ajv {
  const text = JSON.stringify(document);
  const earlier = compiled.get(text);
  if (earlier !== undefined) return earlier;
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'api');
  compiled.set(text, ajv);
  return ajv;
}

export function createContract(document: OpenApiDocument): Contract {
  const ajv = schemasOf(document);
  const seen = new Set<string>();
  const templates = Object.entries(document.paths)
    // A literal path wins over a path with parameters.
    .sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
    .map(([path, methods]) => ({ path, methods, pattern: patternOf(path) }));

  function check(method: string, url: string, response: Response): void {
    const path = url.split('?', 1)[0] ?? '';
    const found = templates.find((template) => template.pattern.test(path));
    const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();
    const operation = found?.methods[verb];
    if (found === undefined || operation === undefined) return;
    const name = `${verb} ${found.path} ${String(response.status)}`;
    seen.add(name);
    checkHeaders(name, operation, response);
    if (method.toLowerCase() !== 'head') checkBody(ajv, name, found.path, verb, operation, response);
  }
  return { check, seen };
}

function checkHeaders(name: string, operation: Operation, response: Response): void {
  const declared = operation.responses[String(response.status)];
  if (declared === undefined) throw new Error(`${name} is not declared: ${response.text}`);
  const counts = Object.keys(declared.headers ?? {}).filter((header) =>
    /^(X-RateLimit|Retry-After)/.test(header),
  );
  if ('retry-after' in response.headers && !counts.includes('Retry-After'))
    throw new Error(`${name} has a Retry-After that is not declared`);
  for (const header of counts) {
    // Only a copy of a payment at work gets this header.
    const isOptional = header === 'Retry-After' && response.status === 402;
    if (isOptional && !(header.toLowerCase() in response.headers)) continue;
    if (!/^\d+$/.test(String(response.headers[header.toLowerCase()])))
      throw new Error(`${name} lacks ${header}`);
  }
  if (response.headers['cache-control'] !== 'no-store') throw new Error(`${name} may be cached`);
}

/** Returns what is wrong with the value, or `null` if the value has the shape that the schema at `place` describes. */
export function problemAt(
  document: OpenApiDocument,
  place: readonly (string | number)[],
  value: unknown,
): string | null {
  return problemBy(schemasOf(document), place, value);
}

function problemBy(ajv: Ajv, place: readonly (string | number)[], value: unknown): string | null {
  const parts = place.map((part) =>
    encodeURIComponent(String(part).replace(/~/g, '~0').replace(/\//g, '~1')),
  );
  const validate = ajv.getSchema(`api#/${parts.join('/')}`);
  if (validate === undefined) throw new Error(`there is no schema at ${place.join(' ')}`);
  return validate(value) === true ? null : ajv.errorsText(validate.errors);
}

function checkBody(
  ajv: Ajv,
  name: string,
  path: string,
  verb: string,
  operation: Operation,
  response: Response,
): void {
  const content = operation.responses[String(response.status)]?.content ?? {};
  const type = String(response.headers['content-type']).split(';', 1)[0] ?? '';
  if (!Object.hasOwn(content, type)) throw new Error(`${name} answers ${type}`);
  if (type !== 'application/json') return;
  const place = ['paths', path, verb, 'responses', String(response.status), 'content', type, 'schema'];
  const problem = problemBy(ajv, place, response.body);
  if (problem !== null) throw new Error(`${name}: ${problem} in ${response.text}`);
}

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[^/]+')}/?$`);
}
