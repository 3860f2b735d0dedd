/** Finds types in exported signatures that no entry exports under any name. */
import { join } from 'node:path';
import ts from 'typescript';

interface Manifest {
  exports: Record<string, unknown>;
}

/** Types that need no name: helpers of other types, and parts of a named type that users name instead. */
const INNER = new Set([
  // written out wherever they are used
  ...['AllOptional', 'NoOptions', 'AiSdk', 'SdkSource', 'Resolve'],
  // made from the OpenAPI and AsyncAPI documents; `paths` is exported, and `LiveEventOf` names the messages
  ...[
    'components',
    'components$1',
    'Path',
    'Query',
    'AllQuery',
    'Body',
    'ChallengeBody',
    'MethodOf',
    'Operation',
  ],
  ...[
    'MarketCreated',
    'MarketResolving',
    'MarketProposed',
    'MarketEscalated',
    'MarketResolved',
    'Trade',
    'Price',
  ],
  ...['AccountTrade', 'AccountBalance', 'AccountSettlement', 'CreatorUpdated', 'LiveBeginning'],
  // of the constructor of the client, which `createClient` calls
  ...['SharedFeed', 'Follower', 'ChannelBeginning', 'BeginReason', 'Snapshot', 'Refusal', 'KeyHolder'],
]);

export function unnamedTypes(folder: string, { exports }: Manifest): string[] {
  const entries = Object.values(exports).flatMap((conditions) => {
    const types = (conditions as { import?: { types?: string } }).import?.types;
    return types === undefined ? [] : [join(folder, types)];
  });
  const program = ts.createProgram(entries, {
    ...{
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      skipLibCheck: true,
      types: ['node'],
    },
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  return new Search(program, folder, entries).unnamed();
}

class Search {
  private readonly checker: ts.TypeChecker;
  private readonly exported = new Map<ts.Symbol, string>();
  private readonly seen = new Set<ts.Symbol>();
  private readonly found = new Map<string, string>();

  constructor(
    program: ts.Program,
    private readonly folder: string,
    entries: readonly string[],
  ) {
    this.checker = program.getTypeChecker();
    for (const entry of entries) {
      const file = program.getSourceFile(entry);
      const module = file === undefined ? undefined : this.checker.getSymbolAtLocation(file);
      if (module === undefined) throw new Error(`${entry} has no types`);
      for (const each of this.checker.getExportsOfModule(module))
        this.exported.set(this.real(each), each.name);
    }
  }

  unnamed(): string[] {
    for (const [symbol, name] of this.exported) this.visit(symbol, name);
    return [...this.found].map(([type, from]) => `${type}, which ${from} uses`);
  }

  private real(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  private visit(symbol: ts.Symbol, from: string): void {
    if (this.seen.has(symbol)) return;
    this.seen.add(symbol);
    for (const declaration of symbol.declarations ?? [])
      if (this.isOurs(declaration)) this.walk(declaration, from);
  }

  private walk(node: ts.Node, from: string): void {
    const name = nameOf(node);
    const symbol = name === undefined ? undefined : this.checker.getSymbolAtLocation(name);
    if (symbol !== undefined) this.note(this.real(symbol), from);
    ts.forEachChild(node, (child) => this.walk(child, from));
  }

  private note(symbol: ts.Symbol, from: string): void {
    if (symbol.flags & ts.SymbolFlags.TypeParameter) return;
    if (symbol.declarations?.some((each) => this.isOurs(each)) !== true) return;
    const isNamed = this.exported.has(symbol) || INNER.has(symbol.name);
    if (!isNamed && !this.found.has(symbol.name)) this.found.set(symbol.name, from);
    this.visit(symbol, this.exported.get(symbol) ?? from);
  }

  private isOurs(node: ts.Node): boolean {
    return node.getSourceFile().fileName.startsWith(this.folder);
  }
}

function nameOf(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  return ts.isImportTypeNode(node) ? node.qualifier : undefined;
}
