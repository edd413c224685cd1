/** A server that answers as a case of `sdks/behaviour.json` says, with the faults of a network, and keeps what came. */
import { createServer } from 'node:http';

/** Announced by an answer that breaks off. */
const LENGTH_NEVER_SENT = '1000';

export async function startScriptedServer() {
  let answers = [];
  const requests = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const came = readRequest(request, Buffer.concat(chunks).toString());
      requests.push(came);
      const next = answers.shift() ?? { status: 500, text: 'The case has no further answer.' };
      send(response, typeof next === 'function' ? next(came) : next);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    script(next) {
      // A connection that never got an answer must not meet those of the next case.
      server.closeAllConnections();
      answers = [...next];
      requests.length = 0;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function readRequest({ method, url, headers }, text) {
  const { pathname, searchParams } = new URL(url, 'http://server');
  return {
    method,
    path: pathname,
    decodedPath: decodeURIComponent(pathname),
    query: Object.fromEntries(searchParams),
    headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function send(response, { status, headers = {}, body, text, fault }) {
  if (fault === 'hang') return;
  if (fault === 'cut') {
    response.socket.destroy();
    return;
  }
  // Each request has a connection of its own, so that a fault meets that request alone.
  const own = { connection: 'close', ...headers };
  if (fault === 'truncated') {
    response.writeHead(200, { ...own, 'content-length': LENGTH_NEVER_SENT });
    response.write('{"id":', () => response.socket.destroy());
    return;
  }
  if (fault === 'stall') {
    response.writeHead(200, { ...own, 'content-length': LENGTH_NEVER_SENT });
    response.write('{"id":');
    return;
  }
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...own, ...type });
  response.end(body === undefined ? text : JSON.stringify(body));
}
