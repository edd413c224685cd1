/**
 * A topic on the broker differs from its declaration. A person decides which of the two is right.
 */
export class TopicsDisagree extends Error {
  constructor(differences: readonly string[]) {
    super(
      `Kafka's topics are not as declared: ${differences.join('; ')}. Alter them with kafka-configs.sh ` +
        'and kafka-topics.sh, or set KAFKA_BROKERS to a Kafka without them.',
    );
    this.name = 'TopicsDisagree';
  }
}
