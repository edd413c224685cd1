#!/bin/sh
# kafkajs 2.2.4 (Node): a header without a value arrives as `null`, which its types exclude, and cannot be written again
#
# One would guess: a header that another client wrote without a value is absent or `undefined`, as `IHeaders` says, so that
#   `if (value !== undefined) value.toString()` is safe and compiles under `strict`. A consumer can pass the headers on.
# What happens: Kafka allows a header without a value, and kafka-python, like the Java client, writes one for `None`. kafkajs
#   hands it out as `null`. The check compiles and throws a TypeError. The writer of kafkajs throws for `null` as well, so
#   a program that forwards the headers of what it read (a retry or a dead letter) fails at this record each time.
# Why it matters here: our topics may get records of other programs, and a consumer that throws while it parses is started
#   again without end. Ours skips such a header (libs/bus/src/kafka/kafka-record.ts).
# Seen: kafkajs 2.2.4 and typescript 5.9.3 for Node 24, kafka-python 3.0.12 for Python 3.11, 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check kafka-python==3.0.12
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . kafkajs@2.2.4 typescript@5.9.3 @types/node@24.10.1 >/dev/null
cat >write.py <<'PY'
from kafka.record import MemoryRecordsBuilder

builder = MemoryRecordsBuilder(magic=2, compression_type=0, batch_size=4096)
builder.append(timestamp=0, key=b"7", value=b"{}", headers=[("trace", b"on"), ("origin", None)])
builder.close()
open("batch", "wb").write(builder.buffer())
PY
cat >read.ts <<'TS'
import type { IHeaders } from 'kafkajs';

export function textOf(headers: IHeaders, name: string): string {
  const value = headers[name];
  return value !== undefined ? value.toString() : 'absent';
}
TS
cat >look.cjs <<'JS'
const { readFileSync } = require('node:fs');
const Decoder = require('kafkajs/src/protocol/decoder');
const Record = require('kafkajs/src/protocol/recordBatch/record/v0');
const decodeBatch = require('kafkajs/src/protocol/recordBatch/v0/decoder');
const { textOf } = require('./read.js');

const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

decodeBatch(new Decoder(readFileSync('batch'))).then(({ records: [{ headers }] }) => {
  console.log(`trace: ${String(headers.trace)}, origin: ${headers.origin}`);
  console.log(`read as the types allow: ${attempt(() => textOf(headers, 'origin'))}`);
  const again = () => Record({ key: Buffer.from('7'), value: Buffer.from('{}'), headers });
  console.log(`written again: ${attempt(() => typeof again())}`);
});
JS
cat >expected <<'TXT'
trace: on, origin: null
read as the types allow: TypeError: Cannot read properties of null (reading 'toString')
written again: TypeError: The "string" argument must be of type string or an instance of Buffer or ArrayBuffer. Received null
TXT
python/bin/python write.py
npx tsc --strict --module nodenext --skipLibCheck read.ts
node look.cjs >seen
echo 'kafkajs 2.2.4 and typescript 5.9.3 (Node), kafka-python 3.0.12 (Python)'
cat seen
if ! cmp -s seen expected; then
  echo 'This has changed. It was:'
  cat expected
  exit 1
fi
