#!/bin/sh
# smppy 0.3.2: each submit_sm_resp has an empty message_id
#
# One would guess: an SMSC that accepts a submit_sm names the message in its answer (SMPP 3.4, 4.4.2), since its receipts
#   name the message by that id.
# What happens: the answer has the status ESME_ROK and an empty id. The application is handed neither the submit_sm nor
#   the id, so no receipt that it sends can name the message. A long text that it sends has the SAR parameters and an
#   esm_class of 0: a receipt that the application writes as text arrives as two parts of a handset's message.
# Why it matters here: an acceptance without an id settles nothing. The submit is ambiguous, and no other provider is
#   tried (libs/carriers/src/smpp/smpp.adapter.ts).
# Seen: smppy 0.3.2, smpppdu 0.1.2, Python 3.11, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv v
v/bin/pip install --quiet --disable-pip-version-check smppy==0.3.2 smpppdu==0.1.2
cat >look.py <<'PY'
import asyncio, struct, sys
from smppy import Application

RECEIPT = 'id:7 sub:001 dlvrd:001 submit date:2611281200 done date:2611281200 stat:DELIVRD err:000 text:Your code is 123456'


class Smsc(Application):
    async def handle_bound_client(self, client):
        return client

    async def handle_unbound_client(self, client):
        pass

    async def handle_sms_received(self, client, source_number, dest_number, text):
        await client.send_sms(dest_number, source_number, RECEIPT)


def pdu(command, sequence, body):
    return struct.pack('>IIII', 16 + len(body), command, 0, sequence) + body


async def frame(reader):
    length = struct.unpack('>I', head := await reader.readexactly(4))[0]
    return head + await reader.readexactly(length - 4)


async def look():
    loop = asyncio.get_running_loop()
    from smppy.server import SmppProtocol
    smsc = Smsc(name='smsc')
    server = await loop.create_server(lambda: SmppProtocol(app=smsc), '127.0.0.1', 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(pdu(9, 1, b'user\0pass\0\0\x34\0\0\0'))
    await frame(reader)
    text = b'Your code is 123456'
    addresses = b'\0\1\1' + b'20880\0' + b'\1\1' + b'2348031234567\0'
    writer.write(pdu(4, 2, addresses + bytes(5) + bytes([1, 0, 0, 0, len(text)]) + text))
    seen = {}
    parts = 0
    while parts < 2 or 'answer' not in seen:
        got = await asyncio.wait_for(frame(reader), 20)
        command, status = struct.unpack('>II', got[4:12])
        if command == 0x80000004:
            seen['answer'] = f'submit_sm_resp: status {status}, message_id {got[16:-1].decode()!r}'
        elif command == 5:
            parts += 1
            esm_class = got[got.index(b'20880\0') + 6]
            has_sar = b'\x02\x0c\x00\x02' in got
            seen[f'part {parts}'] = f'deliver_sm: esm_class {esm_class}, SAR parameters: {has_sar}'
            writer.write(pdu(0x80000005, struct.unpack('>I', got[12:16])[0], b'\0'))
    return list(seen.values())


seen = sorted(asyncio.run(look()))
print('smppy 0.3.2')
print('\n'.join(seen))
expected = ['deliver_sm: esm_class 0, SAR parameters: True'] * 2 + ["submit_sm_resp: status 0, message_id ''"]
if seen != expected:
    print('This has changed. It was:', *expected, sep='\n')
    sys.exit(1)
PY
v/bin/python look.py
