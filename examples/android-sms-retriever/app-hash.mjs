/**
 * `keytool -exportcert ... | node app-hash.mjs <package name>`: the 11 characters by which Android's SMS Retriever finds
 * the messages of an app. They are the beginning of the Base64 of SHA-256 over the package name, a space, and the
 * signing certificate in lower-case hexadecimal.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const HASH_CHARACTERS = 11;

/** @param {string} packageName @param {Uint8Array} certificate in DER, as keytool exports it */
export function appHash(packageName, certificate) {
  const text = `${packageName} ${Buffer.from(certificate).toString('hex')}`;
  return createHash('sha256').update(text).digest('base64').slice(0, HASH_CHARACTERS);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [packageName] = process.argv.slice(2);
  const certificate = packageName === undefined ? Buffer.alloc(0) : readFileSync(0);
  // DER of a certificate begins with a SEQUENCE; the text of an error of keytool does not.
  if (certificate[0] !== 0x30) {
    console.error(
      'Usage: keytool -exportcert -alias ALIAS -keystore FILE | node app-hash.mjs PACKAGE',
    );
    process.exitCode = 2;
  } else console.log(appHash(packageName, certificate));
}
