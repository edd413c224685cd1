/**
 * Returns the partition of a key, as Kafka's own clients choose it (murmur2, positive, modulo).
 * Publishers in every language choose the same partition.
 */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}

const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;

export function murmur2(data: Buffer): number {
  const { length } = data;
  const tail = length & ~3;
  let hash = SEED ^ length;
  for (let at = 0; at < tail; at += 4) {
    let word = Math.imul(data.readInt32LE(at), MULTIPLIER);
    word ^= word >>> 24;
    hash = Math.imul(hash, MULTIPLIER) ^ Math.imul(word, MULTIPLIER);
  }
  for (let at = length - 1; at >= tail; at -= 1) hash ^= (data[at] as number) << (8 * (at - tail));
  if (tail < length) hash = Math.imul(hash, MULTIPLIER);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, MULTIPLIER);
  return hash ^ (hash >>> 15);
}
