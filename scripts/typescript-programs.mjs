/**
 * The two programs of TypeScript that this project has. The first program checks everything. The second checks the
 * site's script and the client against the types of a browser. The programs share their parsed files.
 */
import ts from 'typescript';

const BROWSER = 'site/browser';
const CLIENT = 'src/client';

const format = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
};

/** The parsed files by path. Both programs share them, because both parse files in the same way. */
const parsed = new Map();

function programOf(configFile) {
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(configFile, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.formatDiagnostic(diagnostic, format));
    },
  });
  // ESLint also goes from a node of the syntax tree to its parent.
  const setParentNodes = true;
  const host = ts.createCompilerHost(options, setParentNodes);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) => {
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, ...rest));
    return parsed.get(path);
  };
  return ts.createProgram({ rootNames: fileNames, options, host, configFileParsingDiagnostics: errors });
}

function problemsOf(program, files) {
  return [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ];
}

export function openPrograms() {
  return { all: programOf('tsconfig.json'), browser: programOf(`${BROWSER}/tsconfig.json`) };
}

export function checkTypes({ all, browser }) {
  const script = [BROWSER, CLIENT].flatMap((folder) => {
    const files = browser.getSourceFiles().filter(({ fileName }) => fileName.includes(`/${folder}/`));
    if (files.length === 0) throw new Error(`no file of ${folder} was checked`);
    return files;
  });
  const problems = [...problemsOf(all, all.getSourceFiles()), ...problemsOf(browser, script)];
  if (problems.length === 0) return;
  process.stdout.write(ts.formatDiagnosticsWithColorAndContext(problems, format));
  process.exitCode = 1;
}
