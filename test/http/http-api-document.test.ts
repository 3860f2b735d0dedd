import { CANDLE_INTERVALS } from '../../src/domain/candles';
import { BOUND_RULES } from '../../src/domain/order-terms';
import type { OpenApiDocument } from '../../src/http/openapi/document';
import { componentsOf, isRecord } from '../../src/http/openapi/schema';
import { answers } from '../../src/views/answers.schema';
import { itemsOf, readPage } from '../support/markdown';
import { API, OPS, createService } from './support/service';

const page = readPage('docs/http-api.md');

function sectionBelow(heading: string): string {
  return page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

function tableBelow(heading: string): string[][] {
  const rows = sectionBelow(heading)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  return rows.map((row) => row.split('|').map((cell) => cell.replaceAll('`', '').trim()));
}

function propertiesOf(schema: unknown): Record<string, unknown> {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  return isRecord(properties) ? properties : {};
}

function longestTexts(document: OpenApiDocument): Map<string, number> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const bodies = operations.map((operation) => operation.requestBody?.content['application/json']?.schema);
  return new Map(
    bodies.flatMap((body) =>
      Object.entries(propertiesOf(body)).flatMap(([name, schema]): [string, number][] => {
        const longest = isRecord(schema) ? schema['maxLength'] : undefined;
        return typeof longest === 'number' ? [[name, longest]] : [];
      }),
    ),
  );
}

it('docs/http-api.md names every bound of an order with its meaning', () => {
  const documented = tableBelow('Trading').map(([, name, meaning]) => [name, meaning]);
  expect(documented).toEqual(BOUND_RULES.map(([name, { description }]) => [name, description]));
});

it('docs/http-api.md names the intervals of price histories', () => {
  const documented = /`interval` is ([^`]+), `startTime`/.exec(page.replaceAll('\n', ' '))?.[1];
  expect(documented?.split(/, | or /)).toEqual(CANDLE_INTERVALS);
});

it('docs/http-api.md names every answer with its fields', () => {
  const documented = itemsOf(sectionBelow('Answers')).map((item) => {
    const [, name = '', fields = ''] = /^`(\w+)` \(.*\): (.*)$/.exec(item) ?? [];
    return [name, fields.replaceAll('`', '').split(', ')];
  });
  const served = Object.entries(componentsOf(answers)).map(([name, schema]) => [
    name,
    Object.keys(propertiesOf(schema)),
  ]);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(served));
});

it('docs/http-api.md names the longest text of every field, for callers and for operators', async () => {
  const service = await createService();
  const documents = [`${API}/openapi.json`, `${OPS}/openapi.json`].map(async (path) =>
    longestTexts((await service.call('get', path)).body as OpenApiDocument),
  );
  const [callers = new Map(), operators = new Map()] = await Promise.all(documents);
  const documented = tableBelow('Limits of fields').map(([, name = '', most = '']) => [
    name,
    parseInt(most, 10),
  ]);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries([...callers, ...operators]));
  await service.close();
});
