import ts from 'typescript';
import { hoverText, objectsIn, placeOf, type Hover } from '../../scripts/hover-texts';

/** Leaves out types for authors of adapters, whose documentation is the contract of the port. */
const OF_PORTS = /\/src\/(ports|domain\/types)/;

const isOurs = ({ declarations: [declaration] = [] }: ts.Symbol): boolean => {
  const file = declaration?.getSourceFile().fileName ?? '';
  return file.startsWith(process.cwd()) && !file.includes('/node_modules/') && !OF_PORTS.test(file);
};

/** Names the members that need a text (`needsText`) and have none. */
export function undocumented(hover: Hover, types: readonly ts.Type[]): string[] {
  const { checker } = hover;
  const seen = new Set<ts.Type | ts.Declaration>();
  const found: string[] = [];

  const visitMember = (member: ts.Symbol): void => {
    const [declaration] = member.declarations ?? [];
    if (declaration === undefined || !isOurs(member)) return;
    const type = checker.getTypeOfSymbol(member);
    if (!seen.has(declaration) && hoverText(hover, member) === '' && needsText(checker, type))
      found.push(placeOf(member));
    seen.add(declaration);
    visit(type);
  };
  const visit = (type: ts.Type): void => {
    for (const each of objectsIn(hover, type)) {
      if (seen.has(each)) continue;
      seen.add(each);
      each.getProperties().forEach(visitMember);
      for (const call of each.getCallSignatures()) {
        for (const input of call.getParameters()) visit(checker.getTypeOfSymbol(input));
        visit(call.getReturnType());
      }
    }
  };
  types.forEach(visit);
  return found.sort();
}

function needsText(checker: ts.TypeChecker, type: ts.Type): boolean {
  if ((type.flags & ts.TypeFlags.Unit) !== 0) return false;
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? checker.getNonNullableType(type);
  const isObject = (element.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  return !isObject || element.getCallSignatures().length > 0 || acceptsNull(type);
}

const acceptsNull = (type: ts.Type): boolean =>
  type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Null) !== 0);
