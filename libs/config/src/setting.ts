/**
 * How a class describes its settings. The kinds (`@WholeNumber`, `@Text` ...) are in `kinds.ts`.
 */
export const SERVICE_NAMES = ['gateway', 'billing', 'dispatch', 'webhooks'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
/** `operator` is the commands of `npm run operator`, not a service. */
export type Reader = ServiceName | 'operator';

export type SettingsClass<Settings extends object = object> = new () => Settings;

interface Description {
  /** Readers of the setting. Empty means every service. */
  readonly readBy?: readonly Reader[];
  /** Whether the value, or a part of it, must never be printed. */
  readonly secret?: boolean;
  readonly unit?: string;
  /** Text for the default in the documentation, where the value itself says too little. */
  readonly fallbackText?: string;
}

interface Kind {
  /** Name of the type in the documentation. */
  readonly type: string;
  /** Parses the text of the variable. The decorators of class-validator then check the result. */
  readonly parse: (text: string) => unknown;
}

export interface Setting extends Description, Kind {
  readonly property: string;
  /** Name of the environment variable. */
  readonly variable: string;
  readonly sentence: string;
  readonly readBy: readonly Reader[];
  readonly fallback: unknown;
}

type Described = Partial<Kind> & Description & { variable?: string; sentence?: string };
const descriptions = new WeakMap<object, Map<string, Described>>();

/**
 * Names the environment variable of a property and documents it. The property's initial value is
 * the default.
 */
export function Setting(
  variable: string,
  sentence: string,
  description: Description = {},
): PropertyDecorator {
  return describe({ ...description, variable, sentence });
}

export function kind(type: string, parse: Kind['parse']): PropertyDecorator {
  return describe({ type, parse });
}

/** Applies several decorators as one. */
export function all(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

function describe(part: Described): PropertyDecorator {
  return (target, property) => {
    const known = descriptions.get(target) ?? new Map<string, Described>();
    known.set(String(property), { ...known.get(String(property)), ...part });
    descriptions.set(target, known);
  };
}

/** Returns the settings of a class, in the order of its properties. */
export function settingsOf(concern: SettingsClass): readonly Setting[] {
  const defaults = new concern() as Readonly<Record<string, unknown>>;
  const known = descriptions.get(concern.prototype as object) ?? new Map<string, Described>();
  return [...known].map(([property, described]) => ({
    ...(described as Omit<Setting, 'property' | 'fallback'>),
    readBy: described.readBy ?? [],
    property,
    fallback: defaults[property],
  }));
}
