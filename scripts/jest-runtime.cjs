/**
 * Jest evaluates every module again for every test file, and compiles it again each time. With this runtime a worker
 * compiles a module once. Each file still evaluates it in its own context, so the files share no state.
 */
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

// V8 would drop the code of functions that have not run for some time.
setFlagsFromString('--no-flush-bytecode');

/** The compiled modules of this worker, by file name. */
const compiled = new Map();

function scriptOf(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known !== undefined && known.source === source && known.parameters === parameters) return known.script;
  const head = `(function (${parameters}) {`;
  const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
  compiled.set(filename, { source, parameters, script });
  return script;
}

module.exports = class CompilingOnce extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    const parameters = executor.injectedModuleParameters.join();
    const compileAsJest = executor.compile.bind(executor);
    executor.compile = (source, filename) => {
      const context = executor.environment.getVmContext();
      if (context === null) return null;
      try {
        return scriptOf(source, filename, parameters).runInContext(context);
      } catch {
        // Jest explains what is wrong with the source.
        return compileAsJest(source, filename);
      }
    };
  }
};
