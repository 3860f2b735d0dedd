/** Renders the OpenAPI document as one HTML page, without scripts and without outside requests. */
import { codeOf, escape, htmlPage, prose, shapeOf, type HtmlPage } from '../html';
import type { OpenApiDocument } from './document';
import type { Operation, Parameter } from './operation';
import { isRecord, type JsonSchema } from './schema';

export function renderPage(document: OpenApiDocument): HtmlPage {
  const { title, version, description } = document.info;
  return htmlPage(
    `${escape(title)}: API reference`,
    `<h1>${escape(title)}</h1>
<p>Version ${escape(version)}. ${escape(description)} Machine-readable: <a href="openapi.json">openapi.json</a>. Live events: <a href="docs/live">reference</a>.</p>
<nav aria-label="Sections">${document.tags.map(({ name }) => `<a href="#${escape(name)}">${escape(name)}</a>`).join('\n')}
<a href="#shapes">shapes</a></nav>
${document.tags.map((tag) => sectionOf(document, tag.name, tag.description)).join('\n')}
<h2 id="shapes">Shapes</h2>
${Object.entries(schemasOf(document))
  .map(([name, schema]) => shapeOf(name, schema))
  .join('\n')}`,
  );
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
<summary><span class="method${method === 'get' ? '' : ' changes'}">${escape(method)}</span> <code>${escape(path)}</code> <span class="what">${escape(operation.summary)}</span></summary>
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

function schemasOf(document: OpenApiDocument): Record<string, unknown> {
  const schemas = document.components['schemas'];
  return isRecord(schemas) ? schemas : {};
}
