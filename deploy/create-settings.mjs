/**
 * `node deploy/create-settings.mjs`: draws the secrets of an installation and writes them into
 * deploy/settings.env (or the file in the first argument), readable by its owner only. With `--simulator`
 * the carriers are played by the simulator; otherwise the file says what to fill in. Never
 * overwrites: without the old PEPPER and ENCRYPTION_KEYS, what they protect is lost.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);
const withSimulator = args.includes('--simulator');
const [named] = args.filter((argument) => !argument.startsWith('--'));
const file = named ?? fileURLToPath(new URL('settings.env', import.meta.url));
const secret = () => randomBytes(32).toString('hex');
const own = (name, services) =>
  services.map((service) => `${service}_${name}=${secret()}`).join('\n');
const callbackSecret = secret();
/** As the gateway derives it for the account of this name. */
const callbackPath = (carrier) => {
  const derived = createHmac('sha256', callbackSecret).update(`callbacks/${carrier}/${carrier}`);
  return `/callbacks/${carrier}/${derived.digest('base64url')}`;
};

const simulated =
  () => `# The carriers, played by the simulator. For real ones: take out COMPOSE_PROFILES and both
# *_BASE_URL, set the accounts, and let CALLBACK_BASE_URL be the address carriers reach you at.
COMPOSE_PROFILES=simulator
CALLBACK_BASE_URL=http://gateway:8300
TWILIO_ACCOUNT_SID=AC${randomBytes(16).toString('hex')}
TWILIO_AUTH_TOKEN=${secret()}
TWILIO_BASE_URL=http://carrier-sim:8320/twilio
TWILIO_CALLBACK_URL=http://gateway:8300${callbackPath('twilio')}
AFRICAS_TALKING_USERNAME=watchword
AFRICAS_TALKING_API_KEY=${secret()}
AFRICAS_TALKING_BASE_URL=http://carrier-sim:8320/africas-talking
AFRICAS_TALKING_CALLBACK_URL=http://gateway:8300${callbackPath('africas_talking')}
SMTP_HOST=carrier-sim
SMTP_PORT=8325
SMTP_SECURITY=none
INBOUND_SMTP_HOST=0.0.0.0
INBOUND_SMTP_PORT=8326
BOUNCE_DOMAIN=bounces.sim.test
`;

const REAL = `# The address carriers reach you at, and your accounts; docs/reference/carriers.md lists their settings.
# Any other setting of docs/reference/configuration.md may stand here as well.
CALLBACK_BASE_URL=
#TWILIO_ACCOUNT_SID=
#TWILIO_AUTH_TOKEN=
#AFRICAS_TALKING_USERNAME=
#AFRICAS_TALKING_API_KEY=
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

${withSimulator ? simulated() : REAL}`;

try {
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  process.stdout.write(`Wrote ${file}\n`);
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  process.stderr.write(`${file} exists already and is left as it is.\n`);
  process.exitCode = 1;
}
