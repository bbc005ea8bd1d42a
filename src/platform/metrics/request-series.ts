import type { SeenRequest } from './seen.ts';

/** The requests of a server by method, route and status. */
export type RequestSeries = ReturnType<typeof createRequestSeries>;

/** The series of the library, by their labels. */
export interface RequestSeriesParts {
  readonly count: (
    labels: { readonly method: string; readonly route: string; readonly status: string },
    more: number,
  ) => void;
  readonly times: (
    method: string,
    route: string,
  ) => { readonly observe: (seconds: number) => void };
}

/** The counts of one route and method. */
interface Line {
  readonly observe: (seconds: number) => void;
  /** Requests by status that were not passed to the library yet. */
  readonly pending: Map<number, number>;
}

/**
 * Counts in nested maps, without building a label text per request, because every request passes
 * here.
 */
export function createRequestSeries({ count, times }: RequestSeriesParts) {
  const methods = new Map<string, Map<string, Line>>();

  function lineOf(method: string, route: string): Line {
    const routes = methods.get(method) ?? new Map<string, Line>();
    methods.set(method, routes);
    const line = { observe: times(method, route).observe, pending: new Map<number, number>() };
    routes.set(route, line);
    return line;
  }

  return {
    seen: ({ method, route = 'none', status, durationMs }: SeenRequest): void => {
      const { observe, pending } = methods.get(method)?.get(route) ?? lineOf(method, route);
      pending.set(status, (pending.get(status) ?? 0) + 1);
      observe(durationMs / 1000);
    },
    /** Passes the counts since the last call to the library. */
    flush: (): void => {
      for (const [method, routes] of methods)
        for (const [route, { pending }] of routes) {
          for (const [status, more] of pending) count({ method, route, status: `${status}` }, more);
          pending.clear();
        }
    },
  };
}
