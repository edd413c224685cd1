/** Removes NUL, the only character that PostgreSQL cannot store. */
export function storable<Claim extends { key: string }>(claim: Claim): Claim {
  return { ...claim, key: claim.key.replaceAll('\0', '\ufffd') };
}
