#!/bin/sh
# dns2 3.1.1: a TXT record of more than 255 bytes, given as one string
#
# One would guess: the library cuts the text into the strings of at most 255 bytes that RFC 1035 (3.3.14) asks for, or
#   refuses it. A DKIM key of 2,048 bits is such a record: 410 characters.
# What happens: the record is written as one string whose length byte is the length modulo 256 (410 becomes 154). The
#   library cannot read its own packet, and Node's resolver refuses the answer with EBADRESP. Given as an array of
#   strings of at most 255 bytes, the same text arrives whole.
# Why it matters here: the simulator's name server answers with customers' DKIM keys, so it cuts each text itself
#   (apps/carrier-sim/src/dns/dns.server.ts). Any test name server built on dns2 looks as if the domain had no key.
# Seen: dns2 3.1.1, Node 20 and 24, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . dns2@3.1.1 >/dev/null
cat >look.cjs <<'JS'
const { Resolver } = require('node:dns').promises;
const DNS = require('dns2');
const { version } = require('dns2/package.json');
const { Packet } = DNS;

const name = 'k1._domainkey.example.com';
const key = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`;
const forms = { 'one string': key, 'strings of at most 255': [key.slice(0, 255), key.slice(255)] };

async function resolved(data) {
  const server = DNS.createServer({
    udp: true,
    handle(request, send) {
      const response = Packet.createResponseFromRequest(request);
      response.answers.push({ name, type: Packet.TYPE.TXT, class: Packet.CLASS.IN, ttl: 60, data });
      send(response);
    },
  });
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.addresses().udp.port}`]);
  try {
    const [strings] = await resolver.resolveTxt(name);
    return strings.join('') === key ? `whole, in ${strings.length} strings` : 'another text';
  } catch (error) {
    return error.code;
  } finally {
    await server.close();
  }
}

function written(data) {
  const packet = new Packet();
  packet.answers.push({ name, type: Packet.TYPE.TXT, class: Packet.CLASS.IN, ttl: 60, data });
  const bytes = packet.toBuffer();
  return bytes[bytes.indexOf('v=DKIM1') - 1];
}

(async () => {
  console.log(`dns2 ${version}, a text of ${key.length} bytes`);
  const seen = [];
  for (const [form, data] of Object.entries(forms)) {
    seen.push(`${form}: length byte ${written(data)}, Node resolves: ${await resolved(data)}`);
  }
  console.log(seen.join('\n'));
  const expected = [
    'one string: length byte 154, Node resolves: EBADRESP',
    'strings of at most 255: length byte 255, Node resolves: whole, in 2 strings',
  ];
  if (seen.join() !== expected.join()) {
    console.log(`This has changed. It was:\n${expected.join('\n')}`);
    process.exitCode = 1;
  }
})();
JS
node look.cjs
