/** NUL is the one character that PostgreSQL has no place for. */
export function storable<Claim extends { key: string }>(claim: Claim): Claim {
  return { ...claim, key: claim.key.replaceAll('\0', '\ufffd') };
}
