#!/bin/sh
# nodemailer 10.6.0: with an Ed25519 key for DKIM, each email goes out unsigned and nothing says so
#
# One would guess: a key of one of DKIM's two kinds (RFC 8463 adds Ed25519 to RSA) signs, or `sendMail` fails.
# What happens: nodemailer writes `rsa-sha256` whatever the key is. The signature fails inside, the error is caught, and the
#   email is sent as it was: no `DKIM-Signature`, no error, no warning. mailauth signs the same email with the same key, and
#   its signature verifies by the key's own record.
# Why it matters here: an unsigned email of a domain with DMARC is spam or refused. Where nodemailer wrote no signature, we
#   throw instead of sending, and the keys that we make are RSA (libs/email/src/sign.ts, libs/email/src/dkim-key.ts).
# Seen: nodemailer 10.6.0, mailauth 7.1.0, Node 24, 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . nodemailer@10.6.0 mailauth@7.1.0 >/dev/null
cat >look.mjs <<'JS'
import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { createTransport } from 'nodemailer';

const email = { from: 'shop@a.example', to: 'ada@b.example', subject: 'Paid', text: 'Thank you' };

function keyOf(type, options) {
  const { privateKey, publicKey } = generateKeyPairSync(type, options);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const published = type === 'rsa' ? der : der.subarray(-32);
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    record: `v=DKIM1; k=${type}; p=${published.toString('base64')}`,
  };
}

async function verdict(message, record) {
  const { results } = await dkimVerify(message, { resolver: async () => [[record]] });
  return results.map(({ status }) => status.result).join();
}

async function look(type, options) {
  const { privateKey, record } = keyOf(type, options);
  const dkim = { domainName: 'a.example', keySelector: 's', privateKey };
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', dkim });
  const { message } = await transport.sendMail(email);
  const signatureData = [{ signingDomain: 'a.example', selector: 's', privateKey, algorithm: `${type}-sha256` }];
  const plain = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message: unsigned } = await plain.sendMail(email);
  const { signatures } = await dkimSign(unsigned, { signatureData });
  const signed = Buffer.concat([Buffer.from(signatures), unsigned]);
  return `${type}: nodemailer ${await verdict(message, record)}, mailauth ${await verdict(signed, record)}`;
}

console.log('nodemailer 10.6.0 and mailauth 7.1.0 sign, mailauth verifies');
const seen = [await look('rsa', { modulusLength: 2048 }), await look('ed25519')];
console.log(seen.join('\n'));
const expected = ['rsa: nodemailer pass, mailauth pass', 'ed25519: nodemailer none, mailauth pass'];
if (seen.join() !== expected.join()) {
  console.log(`This has changed. It was:\n${expected.join('\n')}`);
  process.exitCode = 1;
}
JS
node look.mjs
