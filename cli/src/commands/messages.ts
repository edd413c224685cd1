/** `watchword messages tail`: what was sent, and each change of its state. */
import type { Watchword } from '../../../sdks/typescript/src/index.js';
import { type Command, type Context, text, UsageError, wholeNumber } from '../command.js';
import { clock } from '../forwarding.js';

const POLL_MS = 2_000;
const PAGE = 50;

interface Row {
  kind: string;
  id: string;
  to: string;
  status: string;
  created_at: string;
  reason?: string | null | undefined;
}

type Read = (client: Watchword, signal: AbortSignal) => Promise<Row[]>;

const KINDS: Record<string, Read> = {
  otp: async (client, signal) => {
    const { data } = await client.otp.list({ limit: PAGE }, { signal }).page();
    return data.map(({ id, phone_number, status, created_at }) => ({
      kind: 'otp',
      id,
      to: phone_number,
      status,
      created_at,
    }));
  },
  sms: async (client, signal) => {
    const { data } = await client.messages.list({ limit: PAGE }, { signal }).page();
    return data.map(({ id, to, status, created_at, error_code }) => ({
      kind: 'sms',
      id,
      to,
      status,
      created_at,
      reason: error_code,
    }));
  },
  email: async (client, signal) => {
    const { data } = await client.emails.list({ limit: PAGE }, { signal }).page();
    return data.map(({ id, to, status, created_at, error_code }) => ({
      kind: 'email',
      id,
      to: to.join(', '),
      status,
      created_at,
      reason: error_code,
    }));
  },
};

export const TAIL: Command = {
  name: 'messages tail',
  about: 'Show the newest messages, and each change of their states, until Ctrl-C.',
  parameters: [],
  options: {
    kind: { value: 'KINDS', about: 'otp, sms or email, with commas; by default otp,sms' },
    polls: { value: 'N', about: 'end after so many looks; 1 shows what there is' },
  },
  example: 'watchword messages tail --kind sms',
  async run(context) {
    const reads = readsOf(context);
    const client = context.client();
    const { terminal } = context;
    const seen = new Map<string, string>();
    const polls = wholeNumber(context, 'polls') ?? Infinity;
    for (let poll = 1; ; poll += 1) {
      const rows: Row[] = [];
      for (const read of reads) rows.push(...(await read(client, terminal.signal)));
      // Ids of all kinds begin with the time at which they were made.
      for (const row of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        const before = seen.get(row.id);
        if (before === row.status) continue;
        seen.set(row.id, row.status);
        // A message is shown at its own time, a change at the time of the poll that saw it.
        print(context, row, before === undefined ? Date.parse(row.created_at) : undefined);
      }
      if (poll >= polls) return;
      await terminal.sleep(POLL_MS, terminal.signal);
    }
  },
};

function readsOf(context: Context): Read[] {
  return (text(context, 'kind') ?? 'otp,sms').split(',').map((kind) => {
    const read = KINDS[kind];
    if (!read) throw new UsageError(`"${kind}" is no kind of message. Take otp, sms or email.`);
    return read;
  });
}

function print(context: Context, row: Row, at = context.terminal.now()): void {
  const { kind, id, to, status, reason } = row;
  const isBad = ['failed', 'blocked', 'rejected', 'bounced'].includes(status);
  const colour = isBad
    ? 'red'
    : status === 'delivered' || status === 'verified'
      ? 'green'
      : 'yellow';
  context.print(row, () => [
    `${clock(at)}  ${kind.padEnd(5)} ${id}  ${to}  ${context.paint(colour, status)}${reason ? `  ${reason}` : ''}`,
  ]);
}
