/**
 * `node deploy/create-settings.mjs`: draws the secrets of an installation and writes them into
 * deploy/settings.env (or the file in the first argument), readable by its owner only. With `--simulator`
 * the carriers are played by the simulator; otherwise the file says what to fill in. Never
 * overwrites: without the old PEPPER and ENCRYPTION_KEYS, what they protect is lost. Runs without a build:
 * carriers.json is generated from the registry of carriers.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);
const withSimulator = args.includes('--simulator');
const [unknown] = args.filter((argument) => argument.startsWith('-') && argument !== '--simulator');
if (unknown !== undefined) {
  process.stderr.write(`Unknown option: ${unknown}. The only one is --simulator.\n`);
  process.exit(1);
}
const [named] = args.filter((argument) => argument !== '--simulator');
const file = named ?? fileURLToPath(new URL('settings.env', import.meta.url));
const secret = () => randomBytes(32).toString('hex');
const own = (name, services) =>
  services.map((service) => `${service}_${name}=${secret()}`).join('\n');
const callbackSecret = secret();
const carriers = JSON.parse(readFileSync(new URL('carriers.json', import.meta.url), 'utf8'));
/** As the gateway derives it for the account of this name. */
const callbackPath = (carrier) => {
  const derived = createHmac('sha256', callbackSecret).update(`callbacks/${carrier}/${carrier}`);
  return `/callbacks/${carrier}/${derived.digest('base64url')}`;
};

const drawn = ({ simulated }) =>
  'text' in simulated
    ? simulated.text
    : simulated.prefix + randomBytes(simulated.randomBytes).toString('hex');

/** An account that the simulator knows. */
const simulatedAccount = ({ token, required }) => {
  const name = token.toUpperCase();
  return [
    ...required.map((setting) => `${setting.variable}=${drawn(setting)}`),
    `${name}_BASE_URL=http://carrier-sim:8320/${token.replaceAll('_', '-')}`,
    `${name}_CALLBACK_URL=http://gateway:8300${callbackPath(token)}`,
  ];
};
const simulatedAccounts = () =>
  carriers
    .filter(({ isSimulated }) => isSimulated)
    .flatMap(simulatedAccount)
    .join('\n');

const simulated = () => `# The carriers, played by the simulator. For real ones:
# - take out COMPOSE_PROFILES, each *_BASE_URL and each *_CALLBACK_URL, and set the accounts;
# - set CALLBACK_BASE_URL to the address at which carriers reach you;
# - set SMTP_HOST, SMTP_PORT and SMTP_SECURITY to those of your relay, and BOUNCE_DOMAIN to the host
#   that takes its bounces. Without a relay, take these four out.
COMPOSE_PROFILES=simulator
CALLBACK_BASE_URL=http://gateway:8300
${simulatedAccounts()}
SMTP_HOST=carrier-sim
SMTP_PORT=8325
SMTP_SECURITY=none
INBOUND_SMTP_HOST=0.0.0.0
INBOUND_SMTP_PORT=8326
BOUNCE_DOMAIN=bounces.sim.test
`;

const realAccounts = () =>
  carriers.flatMap(({ required }) => required.map(({ variable }) => `#${variable}=`)).join('\n');

const real =
  () => `# The address carriers reach you at, and your accounts; docs/reference/carriers.md lists their settings.
# Any other setting of docs/reference/configuration.md may stand here as well. Those of a second account
# of a carrier stand in files of their own: docs/guides/operate/settings.md.
CALLBACK_BASE_URL=
${realAccounts()}
`;

const text = `# Settings of docker-compose.yml; keep a copy in a safe place, apart from the database.
COMPOSE_PROJECT_NAME=watchword
POSTGRES_PASSWORD=${secret()}
REDIS_PASSWORD=${secret()}
KAFKA_ADMIN_PASSWORD=${secret()}
${own('DATABASE_PASSWORD', ['GATEWAY', 'BILLING', 'DISPATCH', 'WEBHOOKS'])}
${own('KAFKA_PASSWORD', ['GATEWAY', 'BILLING', 'DISPATCH', 'WEBHOOKS'])}
${own('RPC_SECRET', ['BILLING', 'DISPATCH', 'WEBHOOKS'])}
PEPPER=${secret()}
# A ring: the first key encrypts, all of them decrypt. See docs/guides/operate/secrets.md.
ENCRYPTION_KEYS=${secret()}
CALLBACK_SECRET=${callbackSecret}
OPERATOR_TOKEN=${secret()}

${withSimulator ? simulated() : real()}`;

try {
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  process.stdout.write(`Wrote ${file}\n`);
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  process.stderr.write(`${file} exists already and is left as it is.\n`);
  process.exitCode = 1;
}
