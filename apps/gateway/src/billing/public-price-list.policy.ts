import type { PriceListVersion, PublicPriceList } from '@watchword/contracts';
import { COUNTRIES, type Country } from '@watchword/telephony';

type PublicCountry = PublicPriceList['countries'][number];

/** Returns every country with its price, cheapest first, then by name. */
export function publicPriceList({ list, updated_at }: PriceListVersion): PublicPriceList {
  const countries = COUNTRIES.map((country) => priceOf(country, list));
  countries.sort(
    (one, other) => one.credits - other.credits || one.name.localeCompare(other.name, 'en'),
  );
  return { credit_price: list.credit_price, updated_at, countries };
}

function priceOf(country: Country, list: PriceListVersion['list']): PublicCountry {
  const rate = list.countries[country.countryCode];
  const credits = rate?.credits ?? list.default_credits;
  const networks = rate?.networks ?? [];
  const span = [credits, ...networks.map((network) => network.credits)];
  return {
    country_code: country.countryCode,
    name: country.name,
    dial_code: country.dialCode,
    credits,
    min_credits: Math.min(...span),
    max_credits: Math.max(...span),
    listed: rate?.listed ?? false,
    networks,
  };
}
