import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A carrier's address that passes on to the simulator's, and keeps with what headers it was called. */
export class CarrierProxy {
  readonly headers: IncomingHttpHeaders[] = [];
  /** Set once the running system knows this proxy. */
  simulatorUrl = '';
  private server!: Server;

  async start(): Promise<string> {
    this.server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      this.headers.push(request.headers);
      const { 'content-type': type = '', authorization = '', apikey = '' } = request.headers;
      const headers = { 'content-type': type, authorization, apikey: String(apikey) };
      const body = Buffer.concat(chunks).toString('utf8');
      const answer = await fetch(this.simulatorUrl + request.url, {
        method: 'POST',
        headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
        body,
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
