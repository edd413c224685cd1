/** Generates the page of carriers from their registry. */
import { ALL_CARRIERS, CARRIERS, EMAIL_CARRIERS, settingsOf } from '@watchword/carriers/registry';

type Carrier = (typeof CARRIERS)[number];

type AnyCarrier = (typeof ALL_CARRIERS)[number];

const ofSms = CARRIERS.filter(({ settings }) => settings !== undefined);
const withSettings = ALL_CARRIERS.filter(({ settings }) => settings !== undefined);

/** `docs/reference/carriers.md`. */
export function carriersReference(): string {
  const head = [
    '# Carriers',
    '',
    'Generated from the registry in `libs/carriers`; change a carrier there, not this page.',
    '',
    'Accounts are rows of the JSON file that `CARRIERS_FILE` names. A carrier may have several: each',
    'has the routes of its carrier, in the order of the file.',
    '',
    '```json',
    '[',
    '  {',
    '    "id": "twilio_eu",',
    '    "carrier": "twilio",',
    '    "settings": { "account_sid": "AC…", "sender_id": "Acme", "concurrency": 32 },',
    '    "secrets": { "auth_token": { "env": "TWILIO_EU_TOKEN" } }',
    '  }',
    ']',
    '```',
    '',
    '- `id` is the name on attempts and in the callback address. `carrier` is a token of the tables below.',
    '- A secret is a reference: `{"env": "NAME"}` is an environment variable, `{"file": "/run/secrets/name"}` the',
    '  content of a file. Each service reads only the secrets in whose row below it stands.',
    '- `"simulated": true` gives the account to the simulator of `npm start` or `npm run cluster`, which fills in its address. Without',
    '  `CARRIERS_FILE` these have simulated accounts of Twilio, Africa’s Talking and SMTP.',
    '- Every problem is listed at start, with its row and member.',
    '- Each account has its own callback address: `npm run operator -- callback-urls` prints what to enter at each',
    '  carrier.',
    '',
    '## Of SMS',
    '',
    '| Carrier | Token | Callback address | Signed | Inbound messages | Unanswered at once | Per second | Time-out OTP / SMS | Priced per | Price stated in |',
    '| --- | --- | --- | --- | --- | --: | --: | --- | --- | --- |',
  ];
  const rows = ofSms.map(summaryOf);
  const emailHead = [
    '',
    '## Of email',
    '',
    'They are tried in this order. [Receiving bounces](../guides/bounces.md) says what comes back.',
    '',
    '| Carrier | Token | Reports | Unanswered at once |',
    '| --- | --- | --- | --: |',
  ];
  const emailRows = EMAIL_CARRIERS.map(emailSummaryOf);
  const shared = ['', '## Every account of SMS', '', ...TABLE, ...sharedRows()];
  const details = [...shared, ...withSettings.flatMap(detailsOf)];
  return `${[...head, ...rows, ...emailHead, ...emailRows, ...details].join('\n')}\n`;
}

function summaryOf(carrier: Carrier): string {
  const { title, token, callback, capacity, deadlines, cost } = carrier;
  const cells = [
    title,
    `\`${token}\``,
    ...reportsOf(carrier),
    callback === undefined || callback.inboundPage ? 'read' : 'not read',
    String(capacity.concurrency),
    capacity.messagesPerSecond === null ? 'no bound' : String(capacity.messagesPerSecond),
    `${deadlines.otp / 1_000} s / ${deadlines.sms / 1_000} s`,
    cost.per,
    cost.stated,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** How reports arrive, and what proves that they are the carrier's. */
function reportsOf(carrier: Carrier): [arrival: string, proof: string] {
  const { callback } = carrier;
  if (callback === undefined)
    return ['none: reports come over the connection', 'no: the bind is the proof'];
  const arrival =
    callback.urlSetBy === 'message' ? 'sent with each message' : 'entered at the carrier';
  const optional = settingsOf(carrier).find(({ property }) => property === callback.signedOnceSet);
  if (optional) return [arrival, `once \`${optional.name}\` is set`];
  return [arrival, callback.signedWith ? 'yes' : 'no: the address is the proof'];
}

function emailSummaryOf({ title, token, callback, concurrency }: (typeof EMAIL_CARRIERS)[number]) {
  const reports = callback === undefined ? 'bounce messages over SMTP' : 'callbacks, signed';
  return `| ${title} | \`${token}\` | ${reports} | ${concurrency} |`;
}

type Setting = ReturnType<typeof settingsOf>[number];

function rowOf(setting: Setting): string {
  const { name, type, required, secret, services, sentence, fallback, fallbackText } = setting;
  const member = `\`${name}\`${secret ? ' (secret)' : ''}`;
  const usual = required ? 'required' : (fallbackText ?? (String(fallback ?? '') || 'unset'));
  return `| ${member} | ${type} | ${usual} | ${services.join(', ')} | ${sentence} |`;
}

const TABLE = [
  '| Member | Type | Default | Read by | Meaning |',
  '| --- | --- | --- | --- | --- |',
];

/** Rows that the carriers of SMS have alike. */
function sharedRows(): string[] {
  const [first = [], ...others] = ofSms.map((carrier) => settingsOf(carrier).map(rowOf));
  return first.filter((row) => others.every((rows) => rows.includes(row)));
}

function detailsOf(carrier: AnyCarrier): string[] {
  const { title, callback } = carrier;
  const shared = sharedRows();
  const rows = settingsOf(carrier)
    .map(rowOf)
    .filter((row) => !shared.includes(row));
  const pages = [
    ['Delivery reports', callback?.reportsPage],
    ['Inbound messages', callback?.inboundPage],
    ['Opt-outs, the same address', callback?.optOutPage],
  ].flatMap(([kind, page]) => (page ? [`- ${kind}: ${page}`] : []));
  return [
    '',
    `## ${title}`,
    '',
    ...TABLE,
    ...rows,
    ...(pages.length === 0
      ? []
      : ['', 'Where its address is entered at the carrier:', '', ...pages]),
  ];
}
