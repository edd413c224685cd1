import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { context } from './api/client';

export type Language = 'en' | 'fr';

/** Each text in English and French. */
type Pairs = Readonly<Record<string, readonly [en: string, fr: string]>>;

interface Languages {
  language: Language;
  setLanguage: (language: Language) => void;
}

const STORED = 'language';
const LanguageContext = createContext<Languages>({ language: 'en', setLanguage: () => undefined });

function initialLanguage(): Language {
  const chosen = localStorage.getItem(STORED) ?? navigator.language;
  return chosen.startsWith('fr') ? 'fr' : 'en';
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(initialLanguage);
  // Before the children ask the server for anything.
  context.language = language;
  useEffect(() => {
    localStorage.setItem(STORED, language);
    document.documentElement.lang = language;
  }, [language]);
  const value = useMemo(() => ({ language, setLanguage }), [language]);
  return <LanguageContext value={value}>{children}</LanguageContext>;
}

export function useLanguage(): Languages {
  return useContext(LanguageContext);
}

/** Returns the texts in the language of the reader. */
export function useTexts<P extends Pairs>(pairs: P): { [Name in keyof P]: string } {
  const { language } = useLanguage();
  return useMemo(() => {
    const index = language === 'en' ? 0 : 1;
    const texts = Object.entries(pairs).map(([name, pair]) => [name, pair[index]]);
    return Object.fromEntries(texts) as { [Name in keyof P]: string };
  }, [pairs, language]);
}

/** Puts values into a text: `{n}` becomes the value `n`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** Writes numbers and times as the reader's language does. */
export function useFormats() {
  const { language } = useLanguage();
  return useMemo(() => {
    const locale = language === 'fr' ? 'fr-FR' : 'en-GB';
    const number = new Intl.NumberFormat(locale);
    const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
    const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
    const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
    const countries = new Intl.DisplayNames(locale, { type: 'region' });
    const month = new Intl.DateTimeFormat(locale, {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    });
    const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
    return {
      number: (value: number) => number.format(value),
      share: (value: number) => share.format(value),
      moment: (at: string | null | undefined) => (at ? moment.format(new Date(at)) : '—'),
      date: (at: string) => date.format(new Date(at)),
      clock: (at: string) => clock.format(new Date(at)),
      /** The name of a country code; an unknown one stays as it is. */
      country: (code: string) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
      /** `2026-11` in words; another text stays as it is. */
      month: (name: string) =>
        /^\d{4}-\d{2}$/.test(name) ? month.format(new Date(`${name}-01T00:00:00Z`)) : name,
      day: (at: string) => day.format(new Date(at)),
      /** `minor` counts hundredths, as of kobo and cents. */
      money: (minor: number, currency: string) =>
        new Intl.NumberFormat(locale, { style: 'currency', currency }).format(minor / 100),
    };
  }, [language]);
}
