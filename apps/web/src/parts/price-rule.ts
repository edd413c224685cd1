import { fill, useFormats, useTexts } from '../texts';

const TEXTS = {
  country: ['Price of {name}', 'Prix : {name}'],
  network: ['Price of the network {name}', 'Prix du réseau {name}'],
  email: ['Price of an email', 'Prix d’un e-mail'],
  default: ['Default price', 'Prix par défaut'],
  version: ['price list {n}', 'liste de prix {n}'],
} as const;

/** Returns what a rule such as `country:NG@3` says. */
export function usePriceRule(): (rule: string) => string {
  const texts = useTexts(TEXTS);
  const { country } = useFormats();
  return (rule) => {
    const [, kind = '', key = '', version = ''] =
      /^(country|network|email|default)(?::(.+))?@(\d+)$/.exec(rule) ?? [];
    if (!(kind in texts)) return rule;
    const name = kind === 'country' ? country(key) : key;
    const price = fill(texts[kind as 'country'], { name });
    return `${price} (${fill(texts.version, { n: version })})`;
  };
}
