import { join } from 'node:path';
import { run, venv } from './support.mjs';

const LIBRARY = 'twilio==9.13.0';

/** What programs written for Twilio do, by its official library for Python. */
export async function check(folder, { file }) {
  const bin = await venv(folder, [LIBRARY]);
  await run(join(bin, 'python'), [join(import.meta.dirname, 'twilio_client.py'), file]);
  return `${LIBRARY} sent and checked codes, and sent a text`;
}
