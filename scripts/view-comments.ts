/**
 * Finds the comments at the fields of views and events. They repeat the descriptions of the schemas, which the
 * generated types of the client have too. So the typed methods and the client show the same texts.
 */
import { resolve } from 'node:path';
import type ts from 'typescript';
import { schemaName } from '../src/http/asyncapi/document';
import { exportedTypes, hoverText, objectsIn, placeOf, type Hover } from './hover-texts';

const ENTRY = 'src/index.ts';

/** Views whose schema has another name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  EarningsView: 'CreatorEarnings',
};

export interface ViewComment {
  place: string;
  declaration: ts.Declaration;
  text: string;
  expected: string;
}

export function viewComments(hover: Hover): ViewComment[] {
  const found = new Map<ts.Declaration, ViewComment>();
  const compare = (view: ts.Type, schema: ts.Type): void => {
    for (const field of view.getProperties()) {
      const other = schema.getProperty(field.name);
      const [declaration] = field.declarations ?? [];
      if (other === undefined || declaration === undefined) continue;
      const [own, others] = [field, other].map((each) =>
        objectsIn(hover, hover.checker.getTypeOfSymbol(each)),
      );
      if ((own?.length ?? 0) > 0 !== (others?.length ?? 0) > 0) continue;
      const expected = sentence(hoverText(hover, other));
      if (!found.has(declaration) && expected !== '' && isOurs(declaration)) {
        found.set(declaration, {
          place: placeOf(field),
          declaration,
          text: hoverText(hover, field),
          expected,
        });
      }
      own?.forEach((each, index) => others?.[index] && compare(each, others[index]));
    }
  };
  for (const [view, schema] of pairs(hover)) compare(view, schema);
  return [...found.values()];
}

const isOurs = (declaration: ts.Declaration): boolean =>
  /\/src\/(views|domain\/events)/.test(declaration.getSourceFile().fileName);

function sentence(description: string): string {
  const text = description.replace(/\s+/g, ' ');
  return text === '' || /[.…]$/.test(text) ? text : `${text}.`;
}

function* pairs(hover: Hover): Generator<[view: ts.Type, schema: ts.Type]> {
  const { checker } = hover;
  const views = exportedTypes(hover, resolve(ENTRY));
  const schemas = exportedTypes(hover, resolve('src/client/api.generated.ts'));
  for (const [name, view] of views) {
    const schema = schemas.get(OTHER_NAMES[name] ?? name.replace(/View$/, ''));
    if (name.endsWith('View') && schema !== undefined) yield [view, schema];
  }
  const messages = exportedTypes(hover, resolve('src/client/live/messages.generated.ts'));
  for (const event of views.get('EventMap')?.getProperties() ?? []) {
    const data = messages
      .get(schemaName(event.name as Parameters<typeof schemaName>[0]))
      ?.getProperty('data');
    if (data !== undefined) yield [checker.getTypeOfSymbol(event), checker.getTypeOfSymbol(data)];
  }
}
