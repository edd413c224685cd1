/**
 * How Jest loads a file of tests: with Node's own `import()`, in the worker's own realm. All files of a worker share
 * what is loaded (Nest, the services, the drivers), which Jest's own runtime would load anew for each of them, and
 * that was most of the CPU time of a run. So a file must not change a module's state and leave it so.
 * A class with the methods that jest-runner and jest-circus call; Jest names it in its setting `runtime`.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setCurrentGlobals } from './globals.mjs';
import { registerTypeScript, sourceMaps } from './typescript.mjs';

const require = createRequire(import.meta.url);
registerTypeScript();

export default class NativeRuntime {
  /** jest-circus keeps the tests of a file in its module: each file of tests gets a new one. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')];
    delete require.cache[require.resolve(path)];
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    setCurrentGlobals(globals);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  requireModule(path) {
    return require(path);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
