/**
 * Finds the network that a number was first assigned to, by its longest known prefix. Numbers are
 * ported, so this is a guess for pricing and routing. The prefixes come from libphonenumber's
 * carrier data (Apache-2.0; the credit is in the data file).
 */
import carrierPrefixes from './data/carrier-prefixes.json' with { type: 'json' };

export interface Network {
  name: string;
  /** Stable name, for example `mtn_ng`. */
  token: string;
  countryCode: string;
  /** Mobile country and network codes, as carriers report them. Empty when unknown. */
  mccMnc: readonly string[];
}

const MCC_MNC: Record<string, string[]> = {
  mtn_ng: ['62130'],
  airtel_ng: ['62120'],
  glo_ng: ['62150'],
  '9mobile_ng': ['62160'],
  safaricom_ke: ['63902'],
  airtel_ke: ['63903'],
  telkom_ke: ['63907'],
  mtn_gh: ['62001'],
  telecel_gh: ['62002'],
  at_gh: ['62003', '62006'],
  vodacom_za: ['65501'],
  telkom_za: ['65502'],
  cellc_za: ['65507'],
  mtn_za: ['65510'],
  rain_za: ['65538'],
  o2_gb: ['23410'],
  vodafone_gb: ['23415'],
  three_gb: ['23420'],
  ee_gb: ['23430', '23433'],
  moov_ci: ['61202'],
  orange_ci: ['61203'],
  mtn_ci: ['61205'],
  moov_bj: ['61602'],
  mtn_bj: ['61603'],
};

/** Current names for former, misspelt or merged ones in the data, by name and country. */
const NAMES: Record<string, string> = {
  MAFAB_NG: 'Mafab',
  at_GH: 'AT',
  'Telkom Mobile_ZA': 'Telkom',
  Orange_GB: 'EE',
};

/** Networks of the islands that share +44 and its prefix table with Great Britain. */
const ISLANDS: Record<string, string> = { JT: 'JE', Sure: 'GG', 'Manx Telecom': 'IM' };

interface PrefixTable {
  byPrefix: Map<string, Network>;
  lengthMax: number;
}

const networksByToken = new Map<string, Network>();
const tablesByDialCode = buildTables();
const networksByMccMnc = new Map(
  [...networksByToken.values()].flatMap((network) => network.mccMnc.map((code) => [code, network])),
);

/** Returns null where no carrier data exist, as in all of North America. */
export function findNetwork(dialCode: string, nationalNumber: string): Network | null {
  const table = tablesByDialCode.get(dialCode);
  if (table === undefined) return null;
  for (let length = table.lengthMax; length > 0; length -= 1) {
    const network = table.byPrefix.get(nationalNumber.slice(0, length));
    if (network !== undefined) return network;
  }
  return null;
}

/** Returns the same for a number in E.164, without reading its numbering plan. */
export function networkOfNumber(e164: string): Network | null {
  const digits = e164.slice(1);
  for (const dialCode of tablesByDialCode.keys()) {
    if (digits.startsWith(dialCode)) return findNetwork(dialCode, digits.slice(dialCode.length));
  }
  return null;
}

export function networkByMccMnc(mccMnc: string): Network | null {
  return networksByMccMnc.get(mccMnc) ?? null;
}

export function networkByToken(token: string): Network | null {
  return networksByToken.get(token) ?? null;
}

function buildTables(): Map<string, PrefixTable> {
  const { _source, ...countries } = carrierPrefixes;
  const tables = new Map<string, PrefixTable>();
  for (const [countryCode, { cc: dialCode, prefixes }] of Object.entries(countries)) {
    const byPrefix = new Map<string, Network>();
    for (const [prefix, listedName] of Object.entries(prefixes)) {
      byPrefix.set(prefix, internNetwork(listedName, countryCode));
    }
    const lengthMax = Math.max(...Object.keys(prefixes).map((prefix) => prefix.length));
    tables.set(dialCode, { byPrefix, lengthMax });
  }
  return tables;
}

function internNetwork(listedName: string, tableCountryCode: string): Network {
  const name = NAMES[`${listedName}_${tableCountryCode}`] ?? listedName;
  const island = tableCountryCode === 'GB' ? ISLANDS[name] : undefined;
  const countryCode = island ?? tableCountryCode;
  const token = `${slug(name)}_${countryCode.toLowerCase()}`;
  const known = networksByToken.get(token);
  if (known !== undefined) return known;
  const network = { name, token, countryCode, mccMnc: MCC_MNC[token] ?? [] };
  networksByToken.set(token, network);
  return network;
}

function slug(name: string): string {
  if (name === 'Cell C') return 'cellc';
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
