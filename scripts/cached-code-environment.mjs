/**
 * Jest's environment for Node, in which a worker compiles each module once. Jest alone compiles all modules again for
 * each test file. Here, later files start from the code that was compiled for the first file.
 */
import asyncHooks from 'node:async_hooks';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** The source of each module and the code that V8 has compiled from it, by the module's path. */
const compiled = new Map();
/** The scripts that the present test file was the first to compile. */
let fresh = [];

const compileFunction = vm.compileFunction;

/**
 * Does what `vm.compileFunction` does, but compiles a module of a test as a script. A script can produce its cached
 * data later, when the data also contain the functions that the tests have called.
 */
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
    // With this offset, the first line of a module keeps its columns in stack traces.
    columnOffset: -head.length,
  });
  if (cachedData === undefined || script.cachedDataRejected) fresh.push({ filename, source, script });
  return script.runInContext(parsingContext);
};

/**
 * Stands in for the `AsyncLocalStorage` in which jest-circus keeps the running test, at a lower cost. One variable is
 * enough, because the tests of a file run one after another.
 */
class OneAtATime {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, callback, ...given) {
    const outer = this.#store;
    const leave = () => {
      this.#store = outer;
    };
    this.#store = store;
    let result;
    try {
      result = callback(...given);
    } catch (error) {
      leave();
      throw error;
    }
    if (typeof result?.then !== 'function') leave();
    else void result.then(leave, leave);
    return result;
  }
}

const { AsyncLocalStorage } = asyncHooks;

/** Defines the export anew, because an assignment throws where the export is only a getter. */
function exportAsyncLocalStorage(value) {
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

export default class CachedCodeEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    // The next code that makes an `AsyncLocalStorage` is jest-circus.
    exportAsyncLocalStorage(OneAtATime);
  }

  handleTestEvent({ name }) {
    if (name === 'setup') exportAsyncLocalStorage(AsyncLocalStorage);
  }

  async teardown() {
    // V8 compiles a function when the function is first called. So the code is kept after the tests, and
    // contains the functions that they called.
    for (const { filename, source, script } of fresh)
      compiled.set(filename, { source, data: script.createCachedData() });
    fresh = [];
    await super.teardown();
  }
}
