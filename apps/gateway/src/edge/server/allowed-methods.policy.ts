/** Configures a route that is there to refuse its method: the path does not have it. */
export const REFUSING = { refuses: true } as const;

/** Which methods a path has, so that a wrong one is told from a wrong path (405 from 404). */
export class RouteTable {
  private readonly literal = new Map<string, Set<string>>();
  private readonly patterns = new Map<string, { matches: RegExp; methods: Set<string> }>();

  add(pattern: string, methods: readonly string[]): void {
    for (const method of methods) this.methodsAt(pattern).add(method);
  }

  /** Empty when the path is unknown. A literal path wins over a pattern, as in the router. */
  allowed(path: string): string[] {
    const literal = this.literal.get(path);
    if (literal) return [...literal].toSorted();
    for (const { matches, methods } of this.patterns.values()) {
      if (matches.test(path)) return [...methods].toSorted();
    }
    return [];
  }

  private methodsAt(pattern: string): Set<string> {
    const known = this.literal.get(pattern) ?? this.patterns.get(pattern)?.methods;
    if (known) return known;
    const methods = new Set<string>();
    if (!pattern.includes(':')) {
      this.literal.set(pattern, methods);
      return methods;
    }
    const source = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+');
    this.patterns.set(pattern, { matches: new RegExp(`^${source}$`), methods });
    return methods;
  }
}
