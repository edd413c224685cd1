/** Computes the settings of each service in containers, from the settings' descriptions. */
import { grantsOf } from '@watchword/bus';
import { type ServiceName, SERVICE_NAMES, settings } from '@watchword/config';
import { ALL_TOPICS } from '@watchword/contracts';
import { parse } from 'yaml';
import { DECIDED_BY_CHART } from './chart-settings.mjs';

type Described = (typeof settings)[number];

/** Settings of an embedded installation. */
const NOT_DEPLOYED = ['SERVICES', 'DATA_DIR', 'CARRIER_SIM_PORT'];
/** A gateway answers no internal calls. */
const NOT_OF_GATEWAY = ['RPC_PORT'];

/** Every setting that a container of this service can be given. */
export function deployedSettings(service: ServiceName): Described[] {
  return settings.filter(({ variable, readBy }) => {
    if (NOT_DEPLOYED.includes(variable)) return false;
    if (service === 'gateway' && NOT_OF_GATEWAY.includes(variable)) return false;
    return readBy.length === 0 || readBy.includes(service);
  });
}

const START = '# Generated from the settings: node tools/generate-docs.ts';
const END = '# End of what is generated.';

interface Composed {
  services: Record<string, { environment?: Record<string, string> }>;
}

/** The compose file, with the block between the two marks written anew: all settings that the rest does not decide. */
export function composeWithSettings(compose: string): string {
  const [start, end] = [compose.indexOf(START), compose.indexOf(END)];
  if (start < 0 || end < start) throw new Error('docker-compose.yml has lost its generated block');
  const empty = SERVICE_NAMES.map((name) => `x-settings-${name}: &settings-${name} {}`).join('\n');
  const withBlock = (block: string) => `${compose.slice(0, start)}${block}\n${compose.slice(end)}`;
  const { services } = parse(withBlock(empty), { merge: true }) as Composed;
  const blocks = SERVICE_NAMES.flatMap((name) => [
    `x-settings-${name}: &settings-${name}`,
    ...deployedSettings(name)
      .map(({ variable }) => variable)
      .filter((variable) => !(variable in (services[name]?.environment ?? {})))
      .map((variable) => `  ${variable}: \${${variable}:-}`),
  ]);
  return withBlock([START, ...blocks].join('\n'));
}

/** `helm/watchword/settings.json`: for each service, what `values.settings` and its secret may set, and what other values decide. */
export function chartSettings(): string {
  const optional = Object.fromEntries(
    SERVICE_NAMES.map((name) => {
      const open = deployedSettings(name).filter(
        ({ variable }) => !DECIDED_BY_CHART[name].includes(variable),
      );
      const names = (isSecret: boolean) =>
        open
          .filter(({ secret = false }) => secret === isSecret)
          .map(({ variable }) => variable)
          .toSorted();
      const decided = DECIDED_BY_CHART[name].toSorted();
      return [name, { plain: names(false), secret: names(true), decided }];
    }),
  );
  return `${JSON.stringify(optional, null, 2)}\n`;
}

/**
 * `helm/watchword/kafka-users.json`: what each service may do with Kafka, in the form of Strimzi's
 * KafkaUser.
 */
export function chartKafkaUsers(): string {
  const users = Object.fromEntries(SERVICE_NAMES.map((name) => [name, aclsOf(name)]));
  return `${JSON.stringify(users, null, 2)}\n`;
}

const OPERATION_NAMES = {
  read: 'Read',
  write: 'Write',
  delete: 'Delete',
  describe: 'Describe',
  'describe-configs': 'DescribeConfigs',
};

function aclsOf(service: ServiceName) {
  const byResource = Map.groupBy(
    grantsOf(service, ALL_TOPICS),
    ({ resource, name, isPrefix }) => `${resource} ${isPrefix ? 'prefix' : 'literal'} ${name}`,
  );
  return [...byResource].map(([key, grants]) => {
    const [type, patternType, name] = key.split(' ');
    const operations = grants.map(({ operation }) => OPERATION_NAMES[operation]);
    return { resource: { type, name, patternType }, operations: [...new Set(operations)] };
  });
}
