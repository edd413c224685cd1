/** Polls until `probe` answers something truthy; fails with what it waited for. */
export async function waitUntil<Result>(
  what: string,
  probe: () => Promise<Result | undefined | false | null> | Result | undefined | false | null,
  { timeoutMs = 10_000, everyMs = 20 } = {},
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
