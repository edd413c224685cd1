import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
  /** The same certificate, which is its own authority. */
  readonly ca: string;
}

/** Returns a certificate for 127.0.0.1, valid for two days. Needs the program openssl. */
export function selfSigned(): SelfSigned {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-certificate-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', cert, '-days', '2'];
  try {
    execFileSync('openssl', ['req', ...kind, ...files, ...subject], { stdio: 'ignore' });
    const text = readFileSync(cert, 'utf8');
    return { cert: text, key: readFileSync(key, 'utf8'), ca: text };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
