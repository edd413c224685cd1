const EVERY_MS = 5_000;

/** Reports the progress of long work every five seconds. */
export function sayProgress(say: (line: string) => void, what: string): (line: string) => void {
  let saidAt = performance.now();
  return (line) => {
    const now = performance.now();
    if (now - saidAt < EVERY_MS) return;
    saidAt = now;
    say(`${what}: ${line}`);
  };
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
