/** Second labels under which the registries of countries give names to unrelated owners. */
const SHARED_LABELS = new Set(
  'ac co com edu go gob gouv gov info ltd me mil net ne nom or org plc sc sch web'.split(' '),
);

const NAME = /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/;

/**
 * Returns whether the value is a host name as a browser shows it: no scheme, port, path or user, in
 * lower case.
 */
export function isHostName(value: string): boolean {
  return URL.parse(`https://${value}`)?.hostname === value && NAME.test(value);
}

/**
 * Returns whether a country's registry gives names under the domain, such as `co.uk`: as far as
 * possible without the public suffix list.
 */
export function isSharedDomain(domain: string): boolean {
  const [second = '', top = '', ...more] = domain.split('.');
  return more.length === 0 && top.length === 2 && SHARED_LABELS.has(second);
}
