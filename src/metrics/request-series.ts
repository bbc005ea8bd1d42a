import type { SeenRequest } from './seen.ts';

/** The requests of a server by method, route and status. */
export interface RequestSeries {
  readonly seen: (request: SeenRequest) => void;
  /** Tells the library what was counted since it was told last. */
  readonly tell: () => void;
}

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

/** What is known of one route and method. */
interface Line {
  readonly observe: (seconds: number) => void;
  /** Requests by status that the library was not told of yet. */
  readonly untold: Map<number, number>;
}

/**
 * Every request passes here, so nothing is looked for by text that is made for it: the library would
 * write the labels of a series down for each request that counts in it.
 */
export function createRequestSeries({ count, times }: RequestSeriesParts): RequestSeries {
  const methods = new Map<string, Map<string, Line>>();

  function lineOf(method: string, route: string): Line {
    const routes = methods.get(method) ?? new Map<string, Line>();
    methods.set(method, routes);
    const line = { observe: times(method, route).observe, untold: new Map<number, number>() };
    routes.set(route, line);
    return line;
  }

  return {
    seen: ({ method, route = 'none', status, durationMs }) => {
      const { observe, untold } = methods.get(method)?.get(route) ?? lineOf(method, route);
      untold.set(status, (untold.get(status) ?? 0) + 1);
      observe(durationMs / 1000);
    },
    tell: () => {
      for (const [method, routes] of methods)
        for (const [route, { untold }] of routes) {
          for (const [status, more] of untold) count({ method, route, status: `${status}` }, more);
          untold.clear();
        }
    },
  };
}
