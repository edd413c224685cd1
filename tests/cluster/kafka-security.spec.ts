/** A Kafka that listens with TLS and SASL only, reached by an operator's settings. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningKafka, startKafka } from '@watchword/local-servers';

const run = promisify(execFile);
const clientProgram = join(import.meta.dirname, 'secured-client.process.ts');
const password = 'the-right-one';
const storePassword = 'of-the-key-store';

let directory: string;
let authority: string;
let kafka: RunningKafka;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-secured-kafka-'));
  authority = join(directory, 'authority.pem');
  const keyStore = await makeKeyStore();
  const [users, settings] = [{ watchword: password }, secured(keyStore)];
  kafka = await startKafka({ dataDir: directory, users, settings });
});

afterAll(async () => {
  await kafka?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** A self-signed certificate, made with the tool that comes with Java. */
async function makeKeyStore(): Promise<string> {
  const file = join(directory, 'broker.p12');
  const store = ['-keystore', file, '-storetype', 'PKCS12', '-storepass', storePassword];
  const subject = ['-dname', 'CN=broker', '-ext', 'san=ip:127.0.0.1', '-ext', 'bc=ca:true'];
  const key = ['-alias', 'broker', '-keyalg', 'EC', '-groupname', 'secp256r1', '-validity', '2'];
  await run('keytool', ['-genkeypair', ...store, ...subject, ...key]);
  await run('keytool', ['-exportcert', '-rfc', '-alias', 'broker', '-file', authority, ...store]);
  return file;
}

/** The listener keeps its name, and uses another protocol. */
function secured(keyStore: string): Record<string, string> {
  const modules = 'org.apache.kafka.common.security';
  const known = `username="broker" password="own" user_broker="own" user_watchword="${password}"`;
  return {
    'listener.security.protocol.map': 'PLAINTEXT:SASL_SSL,CONTROLLER:PLAINTEXT',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-512',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'listener.name.plaintext.plain.sasl.jaas.config': `${modules}.plain.PlainLoginModule required ${known};`,
    'listener.name.plaintext.scram-sha-512.sasl.jaas.config': `${modules}.scram.ScramLoginModule required;`,
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': keyStore,
    'ssl.keystore.password': storePassword,
    // It calls itself before it listens.
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': authority,
  };
}

interface Ended {
  exitCode: number;
  output: string;
}

/** The product's adapter under these settings, see `secured-client.process.ts`. */
async function client(settings: Record<string, string>): Promise<Ended> {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    NODE_EXTRA_CA_CERTS: authority,
    KAFKA_BROKERS: kafka.brokers.join(','),
    KAFKA_TLS: 'on',
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    KAFKA_USERNAME: 'watchword',
    KAFKA_PASSWORD: password,
    ...settings,
  };
  try {
    const { stdout, stderr } = await run(process.execPath, [clientProgram], { env });
    return { exitCode: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exitCode: code, output: stdout + stderr };
  }
}

/** Returns the log of an operator with warnings on. */
function saidBy({ output }: Ended): object[] {
  const lines = output.split('\n').filter((line) => line !== '');
  const said = lines.map((line) => JSON.parse(line) as { level: string; msg: string });
  return said.map(({ level, msg }) => ({ level, msg }));
}

describe('a Kafka with TLS and SASL', () => {
  it.each(['scram-sha-512', 'plain'])(
    'a Kafka with TLS and SASL takes and gives messages: %s',
    async (KAFKA_SASL_MECHANISM) => {
      const ended = await client({ KAFKA_SASL_MECHANISM });
      expect(ended).toEqual({
        exitCode: 0,
        output: expect.stringMatching(/^consumed secured-\d+\n$/),
      });
    },
  );

  it.each(['scram-sha-512', 'plain'])(
    'a Kafka with TLS and SASL refuses a wrong password, and we say so once and wait: %s',
    async (KAFKA_SASL_MECHANISM) => {
      const ended = await client({ KAFKA_SASL_MECHANISM, KAFKA_PASSWORD: 'a-wrong-one' });
      expect(ended.exitCode).toBe(1);
      const msg = 'Kafka unavailable, retrying';
      expect(saidBy(ended)).toEqual([{ level: 'warn', msg }]);
      expect(ended.output).not.toContain('a-wrong-one');
    },
  );
});
