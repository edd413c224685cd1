/** What is used of `smpp`, which comes without types. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';

  /** A message of SMPP. Mandatory and optional parameters are members by their names. */
  export class PDU {
    /** Bytes. A longer one is refused. */
    static maxLength: number;
    command: string;
    command_id: number;
    command_status: number;
    sequence_number: number;
    [parameter: string]: unknown;
    /** Decodes, or makes one of a command. Throws where bytes are missing. */
    constructor(command: Buffer | string, parameters?: Readonly<Record<string, unknown>>);
    isResponse(): boolean;
    response(parameters?: Readonly<Record<string, unknown>>): PDU;
    toBuffer(): Buffer;
  }

  type Answered = (pdu: PDU) => void;
  type Call = (parameters?: Readonly<Record<string, unknown>>, answered?: Answered) => boolean;

  /** A connection of either side. Only tests use it. */
  export interface Session extends EventEmitter {
    send(pdu: PDU, answered?: Answered): boolean;
    bind_transceiver: Call;
    bind_transmitter: Call;
    bind_receiver: Call;
    submit_sm: Call;
    deliver_sm: Call;
    data_sm: Call;
    enquire_link: Call;
    unbind: Call;
    query_sm: Call;
    close(closed?: () => void): void;
    destroy(closed?: () => void): void;
  }

  const library: {
    PDU: typeof PDU;
    /** GSM 03.38 by a national language's number. 0: the default table. */
    gsmCoder: { decode(bytes: Buffer, language: number): string };
    /** `command_status` by its name, as `ESME_RTHROTTLED`. */
    errors: Readonly<Record<string, number>>;
    connect(options: { host: string; port: number }): Session;
    createServer(
      options: { cert?: string; key?: string },
      take: (session: Session) => void,
    ): import('node:net').Server;
  };
  export default library;
}
