/** Names of calls by resource: `{ otp: { send: 'sendOtp' } }`. */
export type Surface = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Adds operations that the surface lacks and whose name follows from others: where `senderIds.request`
 * is `requestSenderId`, `getSenderId` is `senderIds.get`.
 */
export function withFollowing(surface: Surface, ids: Iterable<string>): Surface {
  const all = Object.fromEntries(
    Object.entries(surface).map(([resource, names]) => [resource, { ...names }]),
  );
  const named = new Set(Object.values(surface).flatMap((names) => Object.values(names)));
  for (const id of ids) {
    if (named.has(id)) continue;
    const [, verb = '', noun = ''] = /^([a-z]+)([A-Z]\w*)$/.exec(id) ?? [];
    const resource = Object.keys(surface).find((one) => isNounOf(surface[one]!, noun));
    if (resource === undefined || verb in all[resource]!) continue;
    all[resource]![verb] = id;
  }
  return all;
}

/** A list is of several, so a plural is the same noun. */
function isNounOf(names: Surface[string], noun: string): boolean {
  const singular = noun.replace(/s$/, '');
  return (
    singular !== '' &&
    Object.entries(names).some(([name, id]) => id.replace(/s$/, '') === name + singular)
  );
}
