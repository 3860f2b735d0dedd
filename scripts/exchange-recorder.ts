/** Keeps what a client sends to a service and what it gets, by the operations of the two OpenAPI documents. */
import { apiKeyPrefix } from '../src/crypto/api-key';
import { API_PREFIX } from '../src/http/prefix';
import { sharedRefusal, type OperationExample, type ParameterValues } from '../src/http/openapi/examples';
import type { OpenApiDocument } from '../src/http/openapi/document';
import type { Operation } from '../src/http/openapi/operation';
import { isRecord } from '../src/http/openapi/schema';
import { OPERATORS, type ClientDocuments } from './client-documents';

const LONGEST_LIST = 2;

const EXAMPLE_KEY = `pmk_${'Example'.repeat(5)}0`;

/** The values that an example shows in place of real values that are secret or differ in each run. */
const PLACEHOLDERS: Readonly<Record<string, { value: unknown; reason: string }>> = {
  apiKey: {
    value: EXAMPLE_KEY,
    reason: 'Scanners of secrets would report a key that looks real.',
  },
  prefix: { value: apiKeyPrefix(EXAMPLE_KEY), reason: 'It is the beginning of the key.' },
  signature: {
    value: `0x${'5e'.repeat(65)}`,
    reason: 'A reader must see that the signature of the example is not a real one.',
  },
  secret: {
    value: 'whsec_ZXhhbXBsZQ==',
    reason: 'Scanners of secrets would report a secret that looks real.',
  },
};

/** Lists that have no `limit`, and of which an example shows the beginning. */
const SHORTENED: readonly string[] = ['endpoints'];

interface Template {
  /** The name of the operation in the table of examples, such as `get /public/markets/{id}`. */
  name: string;
  method: string;
  pattern: RegExp;
  operation: Operation;
}

export interface ExchangeRecorder {
  /** Sends a request and keeps the exchange. A request with HEAD counts as one with GET, without its answer. */
  fetch: typeof fetch;
  noteWebhook(message: unknown): void;
  examples(): Record<string, OperationExample>;
  /**
   * The refusals that operations share, by code, and the first other refusal of each operation and code, such as
   * `get /public/balance UNAUTHORIZED`.
   */
  refusals(): Record<string, unknown>;
}

/** `aliases`: addresses that differ in each run, and what an example shows in their place. */
export function exchangeRecorder(
  { callers, operators }: ClientDocuments,
  aliases: Readonly<Record<string, string>>,
): ExchangeRecorder {
  const templates = [...templatesOf(callers, API_PREFIX, ''), ...templatesOf(operators, '', OPERATORS)];
  const noted = new Map<string, OperationExample>();
  const note = (name: string, example: OperationExample): void => {
    if (!noted.has(name)) noted.set(name, presentable(example, aliases));
  };
  const refused = new Map<string, string>();
  const noteRefusal = ({ name, operation }: Template, answer: unknown, status: number): void => {
    const text = JSON.stringify(presentable({ answer }, aliases).answer);
    const code = codeIn(answer) ?? codeOfStatus(operation, status);
    const shared = sharedRefusal(code, operation.tags[0] ?? '');
    if (shared !== null && [undefined, text].includes(refused.get(shared))) refused.set(shared, text);
    else if (!refused.has(`${name} ${code}`)) refused.set(`${name} ${code}`, text);
  };
  return {
    async fetch(input, init) {
      const response = await fetch(input, init);
      const url = new URL(input as string);
      const method = init?.method?.toLowerCase().replace('head', 'get') ?? 'get';
      const found = templates.find((each) => each.method === method && each.pattern.test(url.pathname));
      if (found !== undefined && response.ok)
        note(found.name, {
          ...parametersOf(found, url),
          ...(typeof init?.body === 'string' ? { body: JSON.parse(init.body) as unknown } : {}),
          ...(isJson(response) ? { answer: await response.clone().json() } : {}),
        });
      if (found !== undefined && !response.ok && isJson(response))
        noteRefusal(found, await response.clone().json(), response.status);
      return response;
    },
    noteWebhook: (message) => note(`webhook ${(message as { type: string }).type}`, { body: message }),
    examples: () => Object.fromEntries([...noted].sort(byName)),
    refusals: () =>
      Object.fromEntries(
        [...refused].sort(byName).map(([name, text]) => [name, JSON.parse(text) as unknown]),
      ),
  };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

function codeIn(answer: unknown): string | null {
  return isRecord(answer) && typeof answer['code'] === 'string' ? answer['code'] : null;
}

/**
 * The code for an answer that names none, such as that of the readiness probe. The description of its status begins
 * with this code.
 */
function codeOfStatus({ responses }: Operation, status: number): string {
  return responses[status]?.description.split(':', 1)[0] ?? String(status);
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') === true;
}

function templatesOf({ paths }: OpenApiDocument, prefix: string, mountPath: string): Template[] {
  return Object.entries(paths)
    .sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method} ${path.slice(prefix.length)}`,
        method,
        pattern: new RegExp(`^${mountPath}${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
        operation,
      })),
    );
}

function parametersOf({ pattern, operation }: Template, url: URL): { parameters?: ParameterValues } {
  const sent = new Map([
    ...Object.entries(pattern.exec(decodeURIComponent(url.pathname))?.groups ?? {}),
    ...url.searchParams.entries(),
  ]);
  if (sent.size === 0) return {};
  const values = [...sent].map(([name, text]) => {
    const schema = operation.parameters?.find((each) => each.name === name)?.schema;
    return [name, /number|integer/.test(String(schema?.['type'])) ? Number(text) : text];
  });
  return { parameters: Object.fromEntries(values) as ParameterValues };
}

function presentable(example: OperationExample, aliases: Readonly<Record<string, string>>): OperationExample {
  let text = JSON.stringify(example);
  for (const [address, shown] of Object.entries(aliases)) text = text.replaceAll(address, shown);
  return shownIn(JSON.parse(text)) as OperationExample;
}

function shownIn(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const shown = SHORTENED.includes(name) ? value.slice(0, LONGEST_LIST) : value;
    if (isRecord(shown[LONGEST_LIST]))
      throw new Error(`an example has ${String(shown.length)} ${name}: ask for fewer`);
    return shown.map((entry) => shownIn(entry));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const placeholder = typeof entry === 'string' ? PLACEHOLDERS[key] : undefined;
      return [key, placeholder === undefined ? shownIn(entry, key) : placeholder.value];
    }),
  );
}
