/**
 * `node deploy/create-settings.mjs`: draws the secrets of an installation and writes them into
 * deploy/settings.env (or the file in the first argument), readable by its owner only, with carriers.json
 * beside it. With `--simulator` the carriers are played by the simulator, whose accounts' secrets go
 * into accounts.*.env there. Never overwrites: without the old PEPPER and ENCRYPTION_KEYS, what they
 * protect is lost. Runs without a build.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
/** As the gateway derives it for the account of this name. */
const callbackPath = (carrier) => {
  const derived = createHmac('sha256', callbackSecret).update(`callbacks/${carrier}/${carrier}`);
  return `/callbacks/${carrier}/${derived.digest('base64url')}`;
};

/** Files of the accounts that the simulator plays. The services read the secrets from their environments. */
const simulatedFiles = () => {
  const twilioSid = `AC${randomBytes(16).toString('hex')}`;
  const twilio = `TWILIO_AUTH_TOKEN=${randomBytes(16).toString('hex')}`;
  const africasTalking = `AFRICAS_TALKING_API_KEY=atsk_${secret()}`;
  const base = 'http://carrier-sim:8320';
  const rows = [
    {
      id: 'twilio',
      carrier: 'twilio',
      settings: { account_sid: twilioSid, base_url: `${base}/twilio` },
      secrets: { auth_token: { env: 'TWILIO_AUTH_TOKEN' } },
    },
    {
      id: 'africas_talking',
      carrier: 'africas_talking',
      settings: { username: 'watchword', base_url: `${base}/africas-talking` },
      secrets: { api_key: { env: 'AFRICAS_TALKING_API_KEY' } },
    },
    {
      id: 'smtp',
      carrier: 'smtp',
      settings: { host: 'carrier-sim', port: 8325, security: 'none' },
    },
  ];
  const callback = (carrier) =>
    `CARRIER_SIM_${carrier.toUpperCase()}_CALLBACK_URL=http://gateway:8300${callbackPath(carrier)}`;
  return {
    'carriers.json': JSON.stringify(rows, null, 2),
    'accounts.gateway.env': twilio,
    'accounts.dispatch.env': [twilio, africasTalking].join('\n'),
    'accounts.simulator.env': [
      `CARRIER_SIM_TWILIO_ACCOUNT_SID=${twilioSid}`,
      `CARRIER_SIM_${twilio}`,
      'CARRIER_SIM_AFRICAS_TALKING_USERNAME=watchword',
      `CARRIER_SIM_${africasTalking}`,
      callback('twilio'),
      callback('africas_talking'),
    ].join('\n'),
  };
};

const simulated = `# The carriers, played by the simulator. For real ones:
# - take out COMPOSE_PROFILES, and write your accounts into carriers.json and accounts.*.env;
# - set CALLBACK_BASE_URL to the address at which carriers reach you;
# - set BOUNCE_DOMAIN to the host that takes the bounces of your relay. Without a relay, take it out.
COMPOSE_PROFILES=simulator
CALLBACK_BASE_URL=http://gateway:8300
INBOUND_SMTP_HOST=0.0.0.0
INBOUND_SMTP_PORT=8326
BOUNCE_DOMAIN=bounces.sim.test
`;

const real = `# The address carriers reach you at. Your accounts go into carriers.json, and their secrets into
# accounts.gateway.env and accounts.dispatch.env: docs/reference/carriers.md lists the members of each carrier.
# Any other setting of docs/reference/configuration.md may stand here as well.
CALLBACK_BASE_URL=
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

${withSimulator ? simulated : real}`;

try {
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  process.stderr.write(`${file} exists already and is left as it is.\n`);
  process.exit(1);
}
process.stdout.write(`Wrote ${file}\n`);
const others = withSimulator ? simulatedFiles() : { 'carriers.json': '[]' };
for (const [name, content] of Object.entries(others)) {
  const path = join(dirname(file), name);
  // Containers read carriers.json as another user. It holds no secret.
  writeFileSync(path, `${content}\n`, { mode: name === 'carriers.json' ? 0o644 : 0o600 });
  process.stdout.write(`Wrote ${path}\n`);
}
