#!/bin/sh
# nullmailer 2.2: the only report of an email that it gives up on says "delayed"
#
# One would guess: a report with `Action: delayed` means that the server goes on trying (RFC 3464, 2.3.3), above all where
#   its text promises "a final delivery status notification".
# What happens: nullmailer reports nothing while it tries. When `queuelifetime` is over it moves the email to `failed` and
#   writes its one report: `Action: delayed` with the promise after an answer of 4xx with an enhanced code, because only
#   the first digit of the code is looked at. No other report follows. A 4xx without an enhanced code is `failed`.
# Why it matters here: such an email would stay `sent` for ever. A delay that nullmailer reports without Will-Retry-Until
#   is read as its end (libs/email/src/report-message.ts).
# Needs root and apt (its paths are fixed, so it runs in an overlay of the system's files, which goes with the script).
# Seen: nullmailer 1:2.2-4 of Debian 12, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -q nullmailer=1:2.2-4 >/dev/null
dpkg-deb -x nullmailer_*.deb root
mkdir -p etc spool/queue spool/tmp spool/failed
mkfifo -m 622 spool/trigger
echo relay.example.org >etc/me
echo 4 >etc/queuelifetime
echo 1 >etc/pausetime
echo 1 >etc/maxpause

cat >server.py <<'PY'
"""Refuses the recipient `later` with 450 and prints each report that it takes."""
import socket, sys
listening = socket.create_server(('127.0.0.1', 0))
print(listening.getsockname()[1], file=open(sys.argv[1], 'w'), flush=True)
while True:
    connection, _ = listening.accept()
    lines = connection.makefile('rb')
    say = lambda text: connection.sendall(text.encode() + b'\r\n')
    say('220 mx.example.com')
    for line in lines:
        word = line.upper().split()[0] if line.split() else b''
        if word == b'RCPT' and b'later' in line:
            say('450 4.2.0 Greylisted')
        elif word == b'DATA':
            say('354 go')
            for content in iter(lines.readline, b'.\r\n'):
                if content.startswith((b'Action:', b'A final', b'proves', b'Status:')):
                    print(content.decode().strip(), flush=True)
            say('250 ok')
        elif word == b'QUIT':
            say('221 bye')
            break
        else:
            say('250 ok')
    connection.close()
PY
python3 server.py port >seen 2>/dev/null &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.2; done
echo "127.0.0.1 smtp --port=$(cat port)" >etc/remotes

cat >inside.sh <<'SH'
mount -t tmpfs tmpfs layer
mkdir layer/upper layer/work layer/all
mount -t overlay overlay -o "lowerdir=/,upperdir=layer/upper,workdir=layer/work" layer/all
cp -R root/. layer/all/
rm -rf layer/all/etc/nullmailer layer/all/var/spool/nullmailer
cp -R etc layer/all/etc/nullmailer
cp -R spool layer/all/var/spool/nullmailer
mount --rbind /dev layer/all/dev
chroot layer/all sh -c '
  printf "From: shop@example.net\nTo: later@example.com\nSubject: x\n\nx\n" |
    nullmailer-inject -f bounce@send.example.net later@example.com
  timeout 20 nullmailer-send
  echo "in failed: $(ls /var/spool/nullmailer/failed | wc -l), in queue: $(ls /var/spool/nullmailer/queue | wc -l)"
' >sent 2>&1 || true
SH
mkdir layer
unshare -m sh inside.sh

echo "nullmailer 2.2, queuelifetime 4 s, each try is answered 450 4.2.0"
cat seen
tail -n 1 sent
expected='A final delivery status notification will be generated if delivery
proves to be impossible within the configured time limit.
Action: delayed
Status: 4.2.0'
if [ "$(cat seen)" != "$expected" ] || [ "$(tail -n 1 sent)" != 'in failed: 1, in queue: 0' ]; then
  echo "This has changed. The only report was:"
  echo "$expected"
  exit 1
fi
