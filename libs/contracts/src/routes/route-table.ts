import type { Method, Route } from './route.js';

interface Step {
  readonly literal: Map<string, Step>;
  /** The branch for a parameter, which matches any one segment. */
  any: Step | undefined;
  readonly routes: Route[];
}

const newStep = (): Step => ({ literal: new Map(), any: undefined, routes: [] });

/** Routes by path, segment by segment. A literal segment wins over a parameter, as in the router. */
export class RouteTable {
  private readonly root = newStep();
  private readonly byFirstSegment: ReadonlyMap<string, readonly Route[]>;

  constructor(private readonly routes: readonly Route[]) {
    for (const route of routes) this.add(route);
    this.byFirstSegment = Map.groupBy(routes, ({ path }) => firstSegment(path));
  }

  /** Returns the routes of a path, one per method. Empty for an unknown path. */
  at(path: string): readonly Route[] {
    return find(this.root, path.split('/'), 0)?.routes ?? [];
  }

  /** Returns the routes that share the first segment of a path, for example all below `/v1`. */
  beside(path: string): readonly Route[] {
    return this.byFirstSegment.get(firstSegment(path)) ?? [];
  }

  /**
   * Returns the methods that the router would send to another path, as `GET /v1/otp/send` to `GET
   * /v1/otp/:id`, each with the route whose path it is.
   */
  shadowed(): { method: Method; route: Route }[] {
    const literals = this.routes.filter(({ path }) => !path.includes(':'));
    const patterns = this.routes.filter(({ path }) => path.includes(':'));
    const found = new Map<string, { method: Method; route: Route }>();
    for (const route of literals) {
      const own = this.at(route.path).map(({ method }) => method);
      for (const { method, path } of patterns) {
        if (own.includes(method) || !matches(path, route.path)) continue;
        found.set(`${method} ${route.path}`, { method, route });
      }
    }
    return [...found.values()];
  }

  private add(route: Route): void {
    let step = this.root;
    for (const segment of route.path.split('/')) {
      if (segment.startsWith(':')) step = step.any ??= newStep();
      else {
        const next = step.literal.get(segment) ?? newStep();
        step.literal.set(segment, next);
        step = next;
      }
    }
    step.routes.push(route);
  }
}

export function firstSegment(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

function find(step: Step, segments: readonly string[], index: number): Step | undefined {
  const segment = segments[index];
  if (segment === undefined) return step.routes.length > 0 ? step : undefined;
  const literal = step.literal.get(segment);
  const found = literal && find(literal, segments, index + 1);
  if (found || segment === '') return found;
  return step.any && find(step.any, segments, index + 1);
}

function matches(pattern: string, path: string): boolean {
  const [expected, given] = [pattern.split('/'), path.split('/')];
  return (
    expected.length === given.length &&
    expected.every((segment, index) => segment.startsWith(':') || segment === given[index])
  );
}
