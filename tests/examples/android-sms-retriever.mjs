import assert from 'node:assert/strict';
import { join } from 'node:path';
import { run } from './support.mjs';

const PACKAGE = 'com.example.shop';

/** The hash of a new certificate, beside the command of Google's page where its tools are, ends the text. */
export async function check(folder, { file }) {
  const keystore = ['-alias', 'shop', '-keystore', 'shop.jks', '-storepass', 'android'];
  const made = ['-genkeypair', '-keyalg', 'RSA', '-dname', 'CN=shop', ...keystore];
  await run('keytool', made, { cwd: folder });
  const certificate = `keytool -exportcert ${keystore.join(' ')}`;
  const computed = await run('sh', ['-c', `${certificate} | node app-hash.mjs ${PACKAGE}`], {
    cwd: folder,
  });
  const hash = computed.trim();
  assert.match(hash, /^[A-Za-z0-9+/]{11}$/);
  const steps = [
    `printf '%s %s' ${PACKAGE} "$(${certificate} | od -An -v -tx1 | tr -d ' \\n')"`,
    'sha256sum | cut -c1-64 | sed "s/../\\\\\\\\x&/g" | xargs -0 printf | base64 | cut -c1-11',
  ];
  assert.equal((await run('bash', ['-c', steps.join(' | ')], { cwd: folder })).trim(), hash);
  const text = await run('node', ['send.mjs', file, hash], { cwd: folder });
  assert.equal(text.trimEnd().split('\n').at(-1), hash);
  assert.match(text, /\b\d{6}\b/);
  await assert.rejects(run('node', [join(folder, 'app-hash.mjs')]), /Usage/);
  return `the text ends with the hash ${hash}`;
}
