/** Renders the OpenAPI document as one HTML page, without scripts and without outside requests. */
import { createHash } from 'node:crypto';
import type { OpenApiDocument, Operation, Parameter } from './document';
import { isRecord, type JsonSchema } from './schema';

export interface Page {
  html: string;
  /** Allows the one inline style sheet and nothing else. */
  contentSecurityPolicy: string;
}

const STYLE = `:root{color-scheme:light dark;--line:#8884;--soft:#8882;--accent:#0a7d5a}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
h1,h2{line-height:1.2}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
details{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:.4rem .8rem}
summary{cursor:pointer;overflow-wrap:anywhere}code,pre{font:.9em/1.45 ui-monospace,monospace}
pre{background:var(--soft);padding:.7rem;overflow:auto;border-radius:.3rem}
table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:.25rem .6rem;border-bottom:1px solid var(--line)}
.method{font-weight:700;color:var(--accent);text-transform:uppercase}a{color:var(--accent)}`;

export function renderPage(document: OpenApiDocument): Page {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  return {
    html: pageOf(document),
    contentSecurityPolicy:
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; ` +
      `form-action 'none'; frame-ancestors 'none'`,
  };
}

function pageOf(document: OpenApiDocument): string {
  const { title, version, description } = document.info;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}: API reference</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escape(title)}</h1>
<p>Version ${escape(version)}. ${escape(description)} Machine-readable: <a href="openapi.json">openapi.json</a>.</p>
${document.tags.map((tag) => sectionOf(document, tag.name, tag.description)).join('\n')}
<h2>Shapes</h2>
${Object.entries(schemasOf(document))
  .map(([name, schema]) => shapeOf(name, schema))
  .join('\n')}
</body>
</html>
`;
}

function sectionOf(document: OpenApiDocument, tag: string, description: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => operationOf(method, path, operation)),
  );
  return `<h2 id="${escape(tag)}">${escape(tag)}</h2>\n<p>${prose(description)}</p>\n${operations.join('\n')}`;
}

function operationOf(method: string, path: string, operation: Operation): string {
  const body = operation.requestBody?.content['application/json']?.schema;
  return `<details id="${escape(operation.operationId)}">
<summary><span class="method">${escape(method)}</span> <code>${escape(path)}</code> ${escape(operation.summary)}</summary>
${operation.description === undefined ? '' : `<p>${prose(operation.description)}</p>`}
${operation.parameters === undefined ? '' : parametersOf(operation.parameters)}
${body === undefined ? '' : `<p>Body</p>\n${codeOf(body)}`}
<table><thead><tr><th>Status</th><th>Meaning</th><th>Shape</th></tr></thead><tbody>
${Object.entries(operation.responses)
  .map(([status, response]) => rowOf([status, response.description, shapeNameOf(response.content)]))
  .join('\n')}
</tbody></table>
</details>`;
}

function parametersOf(parameters: readonly Parameter[]): string {
  const rows = parameters.map((parameter) =>
    rowOf([
      parameter.name,
      parameter.in,
      parameter.required ? 'required' : 'optional',
      parameter.description ?? '',
      JSON.stringify(parameter.schema),
    ]),
  );
  return `<table><thead><tr><th>Parameter</th><th>In</th><th></th><th></th><th>Schema</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

function rowOf(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${prose(cell)}</td>`).join('')}</tr>`;
}

/** The names of the components that an answer refers to. */
function shapeNameOf(content: Record<string, { schema: JsonSchema }> | undefined): string {
  const references = JSON.stringify(content ?? {}).matchAll(/#\/components\/schemas\/(\w+)/g);
  return [...new Set([...references].map((match) => match[1] ?? ''))].join(', ');
}

function shapeOf(name: string, schema: unknown): string {
  return `<details id="${escape(name)}"><summary><code>${escape(name)}</code></summary>${codeOf(schema)}</details>`;
}

function codeOf(value: unknown): string {
  return `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`;
}

function schemasOf(document: OpenApiDocument): Record<string, unknown> {
  const schemas = document.components['schemas'];
  return isRecord(schemas) ? schemas : {};
}

/** Escapes the text and shows words in backticks as code. */
function prose(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
