import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { startOpenTelemetry } from './open-telemetry.adapter.js';

it('is closed although the collector takes connections and answers nothing', async () => {
  const sockets: Socket[] = [];
  // Without reading, it would not see that the exporter closes.
  const silent = createServer((socket) => void sockets.push(socket.resume()));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const telemetry = startOpenTelemetry({
    endpoint: `http://127.0.0.1:${port}`,
    serviceName: 'watchword-spec',
  });
  telemetry.record({
    messageId: '01a201c9-99f5-7000-baf8-a3e0a2b183c3',
    under: null,
    step: 'request',
    name: 'POST /v1/otp/send',
    kind: 'server',
    startedAt: Date.now() - 5,
    endedAt: Date.now(),
    attributes: {},
  });
  await telemetry.close();
  expect(sockets).toHaveLength(1);
  // A refusal ends the export. Without an answer the exporter would retry.
  for (const socket of sockets) socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n');
  silent.close();
});
