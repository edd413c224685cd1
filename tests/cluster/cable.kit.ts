import { connect, Socket } from 'node:net';

/** All connections of one process, which can be cut for a while. */
export class Cable {
  private readonly sockets = new Set<Socket>();
  private cutUntil = 0;

  plugIn = ({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }) => {
    const isCut = Date.now() < this.cutUntil;
    const socket = isCut ? new Socket() : connect({ host, port, noDelay: true }, onConnect);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    if (isCut) setImmediate(() => socket.destroy(new Error('the cable is cut')));
    return socket;
  };

  cutFor(milliseconds: number): void {
    this.cutUntil = Date.now() + milliseconds;
    for (const socket of this.sockets) socket.destroy(new Error('the cable is cut'));
  }
}
