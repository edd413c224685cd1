import { validateSync } from 'class-validator';
import { type SettingsClass, settingsOf } from './setting.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Reading<Settings> {
  readonly settings: Settings;
  readonly problems: readonly string[];
}

/** Reads and validates the settings of one class. An invalid one gets its default in the result. */
export function readSettings<Settings extends object>(
  concern: SettingsClass<Settings>,
  environment: Environment,
): Reading<Settings> {
  const described = settingsOf(concern);
  const settings = new concern();
  for (const { property, variable, parse } of described) {
    const text = textOf(environment, variable);
    if (text !== '') Object.assign(settings, { [property]: parse(text) });
  }
  const errors = validateSync(settings, { skipMissingProperties: true, stopAtFirstError: true });
  const problems = described.flatMap(({ property, variable, fallback }) => {
    const { constraints } = errors.find((error) => error.property === property) ?? {};
    if (constraints === undefined) return [];
    Object.assign(settings, { [property]: fallback });
    return Object.values(constraints).map((message) => `${variable} ${message}`);
  });
  return { settings, problems };
}

/** Returns the text of a variable. An empty variable counts as unset. */
export function textOf(environment: Environment, variable: string): string {
  return environment[variable]?.trim() ?? '';
}
