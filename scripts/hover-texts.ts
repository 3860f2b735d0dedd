/** What an editor shows for the members of the published types, as the compiler reads it from their comments. */
import ts from 'typescript';

export interface Hover {
  program: ts.Program;
  checker: ts.TypeChecker;
}

export function exportedTypes({ program, checker }: Hover, path: string): Map<string, ts.Type> {
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${path} is not in the program`);
  return new Map(
    checker.getExportsOfModule(module).map((each) => {
      const symbol = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each;
      return [each.name, checker.getDeclaredTypeOfSymbol(symbol)];
    }),
  );
}

/** The text of a member, without the name of its format and without examples. */
export function hoverText({ checker }: Hover, member: ts.Symbol): string {
  const text = ts.displayPartsToString(member.getDocumentationComment(checker));
  return text.replace(/^Format: .*\n?/, '').trim();
}

/** For example `src/inputs.ts:12 limit`. */
export function placeOf(member: ts.Symbol): string {
  const [declaration] = member.declarations ?? [];
  if (declaration === undefined) return member.name;
  const file = declaration.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(declaration.getStart());
  return `${file.fileName.replace(`${process.cwd()}/`, '')}:${line + 1} ${member.name}`;
}

/** The object types in a type: those of a list, a promise or an iterator, and each of a union. */
export function objectsIn({ checker }: Hover, type: ts.Type): ts.Type[] {
  const seen = new Set<ts.Type>();
  const visit = (each: ts.Type): ts.Type[] => {
    if (seen.has(each)) return [];
    seen.add(each);
    if (each.isUnion()) return each.types.flatMap(visit);
    const isReference = 'target' in each && checker.getTypeArguments(each as ts.TypeReference).length > 0;
    const inner = isReference ? checker.getTypeArguments(each as ts.TypeReference).flatMap(visit) : [];
    const isObject = (each.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
    return isObject ? [each, ...inner] : inner;
  };
  return visit(type);
}
