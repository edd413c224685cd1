import { SIMULATOR_NAMES } from '@watchword/carriers';
import type { Message } from '../messages/message.js';

/**
 * Which carriers carry a message, best first. Data: the first entry that fits decides. A carrier is
 * named by the id of its first account, which is its token.
 */
export interface RouteTable {
  /** By network token. A network is more specific than its country. */
  readonly networks: Readonly<Record<string, readonly string[]>>;
  readonly countries: Readonly<Record<string, readonly string[]>>;
  readonly elsewhere: readonly string[];
  readonly testMode: readonly string[];
}

/** An operator's decision about a carrier account. */
export interface CarrierChoice {
  readonly state: 'active' | 'drained';
  /** Countries where it precedes the accounts of the table. */
  readonly preferredIn: readonly string[];
}
export type CarrierChoices = ReadonlyMap<string, CarrierChoice>;

/** ISO codes of the countries and territories of Africa. */
const AFRICA =
  'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR ' +
  'MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW';

export const DEFAULT_ROUTES: RouteTable = {
  networks: {},
  countries: Object.fromEntries(
    AFRICA.split(' ').map((country) => [country, ['africas_talking', 'twilio']]),
  ),
  elsewhere: ['twilio', 'africas_talking'],
  testMode: SIMULATOR_NAMES,
};

interface RoutedAccount {
  readonly name: string;
  readonly carrier: string;
}

/**
 * Returns the table with each carrier's further accounts right after its first one. Accounts of
 * carriers that no route names come last in every country, in the order of the registry.
 */
export function withFurtherAccounts(
  table: RouteTable,
  accounts: readonly RoutedAccount[],
): RouteTable {
  const withFurther = (route: readonly string[]) => [
    ...new Set(
      route.flatMap((first) => [
        first,
        ...accounts.filter(({ carrier }) => carrier === first).map(({ name }) => name),
      ]),
    ),
  ];
  const named = new Set([...Object.values(table.countries), table.elsewhere].flat());
  const unnamed = accounts.filter(({ carrier }) => !named.has(carrier)).map(({ name }) => name);
  const each = (routes: RouteTable['countries']) =>
    Object.fromEntries(Object.entries(routes).map(([key, route]) => [key, withFurther(route)]));
  const withLast = (route: readonly string[]) => [...new Set([...route, ...unnamed])];
  const countries = Object.entries(each(table.countries));
  return {
    ...table,
    networks: each(table.networks),
    countries: Object.fromEntries(countries.map(([key, route]) => [key, withLast(route)])),
    elsewhere: withLast(withFurther(table.elsewhere)),
  };
}

export function routeOf(
  table: RouteTable,
  message: Pick<Message, 'testMode' | 'network' | 'countryCode'>,
): readonly string[] {
  if (message.testMode) return table.testMode;
  const ofNetwork = message.network === null ? undefined : table.networks[message.network];
  return ofNetwork ?? table.countries[message.countryCode] ?? table.elsewhere;
}

/**
 * Returns the route after operators' decisions: preferred accounts first, drained ones left out.
 */
export function chosenRoute(
  table: RouteTable,
  choices: CarrierChoices,
  message: Pick<Message, 'testMode' | 'network' | 'countryCode'>,
): readonly string[] {
  const route = routeOf(table, message);
  if (message.testMode || choices.size === 0) return route;
  const preferred = [...choices]
    .filter(([, { preferredIn }]) => preferredIn.includes(message.countryCode))
    .map(([id]) => id)
    .toSorted();
  const all = [...new Set([...preferred, ...route])];
  return all.filter((id) => choices.get(id)?.state !== 'drained');
}
