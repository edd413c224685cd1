/**
 * Customers' endpoints in their own process, so that they cost every sender the same. The path
 * selects the behaviour: `/ok/…` answers 200, `/fail/…` 500, `/hang/…` never. `GET /seen` lists
 * what `/ok/…` got since the last call: path, message id, time. `GET /count` returns how many.
 */
import { createServer, type ServerResponse } from 'node:http';

let seen: [path: string, id: string, at: number][] = [];

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (request.method === 'GET') return answerQuestion(path, response);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (path.startsWith('/hang')) return;
    response.writeHead(path.startsWith('/ok') ? 200 : 500).end();
    if (!path.startsWith('/ok')) return;
    const text = Buffer.concat(chunks).toString();
    const id = /"id":"([0-9a-f-]{36})"/.exec(text)?.[1] ?? '';
    seen.push([path, id, performance.timeOrigin + performance.now()]);
  });
});

function answerQuestion(path: string, response: ServerResponse): void {
  const answer = path === '/count' ? seen.length : seen;
  if (path === '/seen') seen = [];
  response.end(JSON.stringify(answer));
}

server.keepAliveTimeout = 60_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');
