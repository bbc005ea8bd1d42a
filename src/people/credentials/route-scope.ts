/** `route:GET /api/items`, `route:GET /api/items/:id`, `route:* /api/collections/*`, `route:GET /metrics`. */
const form = /^(GET|POST|PUT|PATCH|DELETE|\*) (\/metrics|\/api(?:\/[\w:.-]+)*(?:\/\*)?)$/;

/** Whether a text names a route, or all routes below a path. */
export const isRoutePattern = (text: string): boolean => form.test(text);

/**
 * Whether one of the patterns allows a route. `route` is spelled as it is declared, with its
 * parameters: `/api/items/:id`. GET includes HEAD; a `*` at the end matches everything below.
 */
export const opensRoute = (
  patterns: readonly string[],
  { method, route }: { readonly method: string; readonly route: string },
): boolean =>
  patterns.some((pattern) => {
    const [, verb = '', path = ''] = form.exec(pattern) ?? [];
    const isVerb = verb === '*' || verb === (method === 'HEAD' ? 'GET' : method);
    if (!path.endsWith('/*')) return isVerb && path === route;
    return isVerb && route.startsWith(path.slice(0, -1));
  });
