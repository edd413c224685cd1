import { contractOf, type PriceListVersion, type SendRequest } from '@watchword/contracts';
import { networkByToken } from '@watchword/telephony';

export interface Price {
  /** Credits of the whole message, with all segments. */
  credits: number;
  /** The applied price and the list's version: `network:mtn_ng@3`. */
  rule: string;
}

type Priced = Pick<SendRequest, 'kind' | 'country_code' | 'network' | 'segments'>;

/** Credits per recipient. */
const EMAIL_CREDITS = 1;

export function priceOf(send: Priced, version: PriceListVersion): Price {
  const { pricedBy } = contractOf(send.kind);
  return pricedBy === 'segment' ? textPrice(send, version) : emailPrice(send, version);
}

/** Prices an email: the same everywhere, per recipient. */
function emailPrice({ segments }: Priced, { version }: PriceListVersion): Price {
  return { credits: EMAIL_CREDITS * segments, rule: `email@${version}` };
}

/** Prices a text per segment: the network's rate, else the country's, else the default. */
function textPrice(send: Priced, { list, version }: PriceListVersion): Price {
  const { country_code: countryCode, network, segments } = send;
  const country = Object.hasOwn(list.countries, countryCode)
    ? list.countries[countryCode]
    : undefined;
  if (!country) return { credits: list.default_credits * segments, rule: `default@${version}` };
  const rate = network === null ? undefined : networkRate(country.networks, network);
  return rate
    ? { credits: rate.credits * segments, rule: `network:${network}@${version}` }
    : { credits: country.credits * segments, rule: `country:${countryCode}@${version}` };
}

type NetworkRates = PriceListVersion['list']['countries'][string]['networks'];

/** Returns a network's rate. Operators name a network by its token or its mobile network codes. */
function networkRate(rates: NetworkRates, token: string): NetworkRates[number] | undefined {
  if (rates.length === 0) return undefined;
  const network = networkByToken(token);
  const names = [token, network?.name.toLowerCase()];
  return rates.find(
    (rate) =>
      names.includes(rate.name.toLowerCase()) ||
      rate.mcc_mnc.some((code) => network?.mccMnc.includes(code)),
  );
}
