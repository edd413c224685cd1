import { ALL_TOPICS, type ServiceName } from '@watchword/contracts';
import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  KafkaClient,
  type KafkaConnectionOptions,
  kafkaErrorType,
  ResourcePatternTypes,
} from './kafka-client.adapter.js';
import { ensureTopics } from './kafka-topics.js';
import { type Grant, grantsOf } from './service-grants.policy.js';

/** Creates topics and the rights of each service's user, as Kafka's administrator. */
export async function prepareKafka(
  options: KafkaConnectionOptions,
  userOf: (service: ServiceName) => string,
): Promise<void> {
  const admin = new KafkaClient(options).admin();
  await admin.connect();
  try {
    await ensureTopics(admin, ALL_TOPICS);
    const services = ['gateway', 'billing', 'dispatch', 'webhooks'] as const;
    const acl = services.flatMap((service) =>
      grantsOf(service, ALL_TOPICS).map((grant) => entryOf(userOf(service), grant)),
    );
    await admin.createAcls({ acl }).catch((error: unknown) => {
      // The brokers have no authorizer.
      if (kafkaErrorType(error) !== 'SECURITY_DISABLED') throw error;
    });
  } finally {
    await admin.disconnect();
  }
}

const OPERATIONS = {
  read: AclOperationTypes.READ,
  write: AclOperationTypes.WRITE,
  delete: AclOperationTypes.DELETE,
  describe: AclOperationTypes.DESCRIBE,
  'describe-configs': AclOperationTypes.DESCRIBE_CONFIGS,
};

function entryOf(user: string, { resource, name, isPrefix, operation }: Grant) {
  return {
    principal: `User:${user}`,
    host: '*',
    permissionType: AclPermissionTypes.ALLOW,
    operation: OPERATIONS[operation],
    resourceType: resource === 'topic' ? AclResourceTypes.TOPIC : AclResourceTypes.GROUP,
    resourceName: name,
    resourcePatternType: isPrefix ? ResourcePatternTypes.PREFIXED : ResourcePatternTypes.LITERAL,
  };
}
