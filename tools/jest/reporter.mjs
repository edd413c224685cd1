/** What `npm test` prints: each failure when it happens, and from time to time how far the run is. */
import { relative } from 'node:path';

const PROGRESS_EVERY_MS = 10_000;

export default class ProgressReporter {
  constructor(globalConfig) {
    this.rootDir = globalConfig.rootDir;
  }

  onRunStart({ numTotalTestSuites }) {
    this.startedAt = performance.now();
    this.files = numTotalTestSuites;
    this.done = { files: 0, passed: 0, failed: 0 };
    this.running = new Set();
    this.timer = setInterval(() => this.printProgress(), PROGRESS_EVERY_MS).unref();
    print(`${this.files} files of tests`);
  }

  onTestFileStart(test) {
    this.running.add(relative(this.rootDir, test.path));
  }

  onTestFileResult(test, result) {
    const { done } = this;
    this.running.delete(relative(this.rootDir, test.path));
    done.files += 1;
    done.passed += result.numPassingTests;
    done.failed += result.numFailingTests;
    if (!result.failureMessage) return;
    if (result.numFailingTests === 0) done.failed += 1;
    print(`FAIL ${relative(this.rootDir, test.path)}\n${result.failureMessage}`);
  }

  onRunComplete() {
    clearInterval(this.timer);
    this.printProgress();
  }

  printProgress() {
    const { files, passed, failed } = this.done;
    const seconds = (performance.now() - this.startedAt) / 1_000;
    const left = files === 0 ? undefined : (seconds / files) * (this.files - files);
    const words = [
      `${files} of ${this.files} files`,
      `${passed} passed`,
      `${failed} failed`,
      `after ${spoken(seconds)}`,
    ];
    if (files < this.files) {
      words.push(left === undefined ? 'no estimate yet' : `about ${spoken(left)} left`);
      words.push(`running ${[...this.running].slice(0, 3).join(', ')}`);
    }
    print(words.join(', '));
  }
}

function spoken(seconds) {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

function print(text) {
  process.stdout.write(`${text}\n`);
}
