/**
 * Jest's environment for Node, in which a worker compiles each module once. Jest gives every test file a context of
 * its own and compiles all modules for it again, which takes a sixth of the time of a usual test file. Here the
 * code of a module is compiled for the first file that loads it, and later files start from the compiled code.
 */
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** By the path of the module: its source, and what V8 made of it. */
const compiled = new Map();
/** The scripts that the present test file was the first to compile. */
let fresh = [];

const compileFunction = vm.compileFunction;

/** As `vm.compileFunction`, for a module of a test. Scripts can be compiled from kept code, and functions cannot. */
vm.compileFunction = (source, parameters = [], options = {}) => {
  const { filename, parsingContext, importModuleDynamically } = options;
  if (filename === undefined || parsingContext === undefined)
    return compileFunction(source, parameters, options);
  const kept = compiled.get(filename);
  const cachedData = kept?.source === source ? kept.data : undefined;
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new vm.Script(`${head}${source}\n})`, {
    filename,
    importModuleDynamically,
    cachedData,
    // So that the first line of a module keeps its columns in stack traces.
    columnOffset: -head.length,
  });
  if (cachedData === undefined || script.cachedDataRejected) fresh.push({ filename, source, script });
  return script.runInContext(parsingContext);
};

export default class CachedCodeEnvironment extends TestEnvironment {
  async teardown() {
    // V8 compiles a function when it is first called, so the code is kept after the tests have called it.
    for (const { filename, source, script } of fresh)
      compiled.set(filename, { source, data: script.createCachedData() });
    fresh = [];
    await super.teardown();
  }
}
