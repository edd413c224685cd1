/**
 * What `@jest/globals` exports to tests and to their shared helpers. A helper is loaded once for all files of a
 * worker, so each export forwards to the functions of the file that runs now.
 */
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

let current;

export function setCurrentGlobals(globals) {
  current = globals;
}

function forward(name) {
  return new Proxy(function forwarded() {}, {
    apply: (_target, _self, args) => current[name](...args),
    get: (_target, key) => current[name][key],
  });
}

export const describe = forward('describe');
export const it = forward('it');
export const test = forward('test');
export const beforeAll = forward('beforeAll');
export const beforeEach = forward('beforeEach');
export const afterAll = forward('afterAll');
export const afterEach = forward('afterEach');
export const expect = jestExpect;

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({
  config: { fakeTimers: {}, rootDir: import.meta.dirname },
  global: globalThis,
});

export const jest = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks() {
    mocker.restoreAllMocks();
  },
  useFakeTimers(options) {
    timers.useFakeTimers(options);
  },
  useRealTimers() {
    timers.useRealTimers();
  },
  advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
  advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
  runAllTimers: timers.runAllTimers.bind(timers),
  /** Milliseconds for each test and hook of this file. */
  setTimeout(timeoutMs) {
    globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = timeoutMs;
  },
};

/** After each file: the next one finds real timers and unchanged methods. */
export function restoreAll() {
  timers.useRealTimers();
  mocker.restoreAllMocks();
}
