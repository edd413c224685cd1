/**
 * The health check of a container: ends with 0 when the process in it answers that it is ready, on
 * the METRICS_PORT that it was given, or when the address in the first argument answers 200.
 */
const [, , given] = process.argv;
const address = given ?? `http://127.0.0.1:${process.env['METRICS_PORT']}/ready`;
try {
  const { status } = await fetch(address, { signal: AbortSignal.timeout(2_500) });
  process.exitCode = status === 200 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${address}: ${error.cause?.message ?? error.message}\n`);
  process.exitCode = 1;
}
