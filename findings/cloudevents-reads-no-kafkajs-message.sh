#!/bin/sh
# cloudevents 10.0.0 (Node): `Kafka.toEvent` throws at each message of kafkajs, and `Kafka.isEvent` says that it is an event
#
# One would guess: the Kafka binding of the CloudEvents SDK reads the message that the usual client of the language hands
#   out, as the SDK for Python does.
# What happens: a header's value is bytes in Kafka, and kafkajs hands out Buffers. The SDK calls `startsWith` on the value of
#   `content-type`, a TypeError. Where a message lacks that header, which the binding allows, id, type and source of the
#   event are Buffers. Nothing turns a Buffer into text, so `event.type === 'x'` is never true. With texts it reads both.
# Why it matters here: our topics are CloudEvents in binary mode, so this is the first thing that a reader in Node tries
#   (docs/guides/consume-topics.md).
# Seen: cloudevents 10.0.0 and kafkajs 2.2.4 for Node 24, cloudevents 2.2.0 and kafka-python 3.0.12 for Python 3.11, 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check cloudevents==2.2.0 kafka-python==3.0.12
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . cloudevents@10.0.0 kafkajs@2.2.4 >/dev/null
cat >look.cjs <<'JS'
const { writeFileSync } = require('node:fs');
const { Kafka } = require('cloudevents');
const Decoder = require('kafkajs/src/protocol/decoder');
const Record = require('kafkajs/src/protocol/recordBatch/record/v0');
const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0');
const decodeBatch = require('kafkajs/src/protocol/recordBatch/v0/decoder');

const attributes = { ce_specversion: '1.0', ce_id: '1', ce_type: 'order.paid', ce_source: '/shop' };
const typed = { 'content-type': 'application/json', ...attributes };
const textOf = ({ headers, key, value }) => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, each]) => [name, String(each)])),
  key: String(key),
  value,
});

function read(message) {
  try {
    const { type } = Kafka.toEvent(message);
    return `an event, its type is ${typeof type === 'string' ? `"${type}"` : type.constructor.name}`;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

async function look() {
  const records = [typed, attributes].map((headers, offsetDelta) =>
    Record({ offsetDelta, key: Buffer.from('7'), value: Buffer.from('{"paid":true}'), headers }),
  );
  const { buffer } = await RecordBatch({ lastOffsetDelta: 1, records });
  writeFileSync('batch', buffer);
  return decodeBatch(new Decoder(buffer));
}

look().then(({ records }) => {
  const seen = records.flatMap((message, index) => {
    const name = index === 0 ? 'with content-type' : 'without content-type';
    return [
      `${name}, isEvent: ${Kafka.isEvent(message)}`,
      `${name}, toEvent: ${read(message)}`,
      `${name}, toEvent of texts: ${read(textOf(message))}`,
    ];
  });
  console.log(seen.join('\n'));
});
JS
cat >look.py <<'PY'
from cloudevents.v1.kafka import KafkaMessage, from_binary
from kafka.record import MemoryRecords

for record in MemoryRecords(open("batch", "rb").read()).next_batch():
    event = from_binary(KafkaMessage(dict(record.headers), record.key, record.value))
    print(f"Python: an event, its type is {event['type']!r}, its data {event.get_data()}")
PY
cat >expected <<'TXT'
with content-type, isEvent: true
with content-type, toEvent: TypeError: contentType.startsWith is not a function
with content-type, toEvent of texts: an event, its type is "order.paid"
without content-type, isEvent: true
without content-type, toEvent: an event, its type is Buffer
without content-type, toEvent of texts: an event, its type is "order.paid"
Python: an event, its type is 'order.paid', its data {'paid': True}
Python: an event, its type is 'order.paid', its data {'paid': True}
TXT
node look.cjs >seen
python/bin/python look.py >>seen
echo 'cloudevents 10.0.0 and kafkajs 2.2.4 (Node), cloudevents 2.2.0 and kafka-python 3.0.12 (Python)'
cat seen
if ! cmp -s seen expected; then
  echo 'This has changed. It was:'
  cat expected
  exit 1
fi
