import { deadLetterTopicName, type ServiceName, type Topic } from '@watchword/contracts';
import { RELAY_GROUP } from '../consumer/measurements.js';

/** A right of a service's user. With an authorizer the user may do nothing else. */
export interface Grant {
  resource: 'topic' | 'group';
  name: string;
  /** Whether the name is a prefix. */
  isPrefix?: boolean;
  operation: 'read' | 'write' | 'delete' | 'describe' | 'describe-configs';
}

/** Prefix of every topic of the product. */
const TOPIC_PREFIX = 'svc.';

/**
 * Returns the rights of a service: to write the topics it owns, read those it declares, and commit
 * as its own groups. The gateway also lists and replays dead letters for operators, as the groups
 * that left them.
 */
export function grantsOf(service: ServiceName, topics: readonly Topic[]): Grant[] {
  const owned = topics.filter(({ owner }) => owner === service);
  const read = topics.filter(({ readers }) => readers.includes(service));
  const letters = (service === 'gateway' ? topics : [...owned, ...read]).map(deadLetterTopicName);
  const groups = service === 'gateway' ? operatorGroups(topics) : [`${service}.`];
  const topic = (name: string, operation: Grant['operation']): Grant => {
    return { resource: 'topic', name, operation };
  };
  return [
    { ...topic(TOPIC_PREFIX, 'describe'), isPrefix: true },
    { ...topic(TOPIC_PREFIX, 'describe-configs'), isPrefix: true },
    ...owned.map(({ name }) => topic(name, 'write')),
    ...read.map(({ name }) => topic(name, 'read')),
    ...[...new Set(letters)].flatMap((name) => [topic(name, 'read'), topic(name, 'write')]),
    ...groups.flatMap((name): Grant[] => [
      { resource: 'group', name, isPrefix: true, operation: 'read' },
      { resource: 'group', name, isPrefix: true, operation: 'delete' },
    ]),
  ];
}

function operatorGroups(topics: readonly Topic[]): string[] {
  const readers = new Set(topics.flatMap((topic) => topic.readers));
  const ours = ['gateway.', 'watchword-dead-letters-', `${RELAY_GROUP}:`];
  return [...ours, ...[...readers].map((name) => `${name}.`)];
}
