/**
 * Typed requests of the whole REST interface. The types come from the API document of the server
 * (`api.generated.ts`, which the build writes), so a call that the server would refuse
 * for its form does not compile.
 */
import type { components, paths } from './api.generated.ts';

/** Resources of the server, by the names that the API document gives them. */
export type Resources = components['schemas'];

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

/** The methods that a path has. */
export type MethodOf<Path extends keyof paths> = {
  readonly [One in Method]: paths[Path][One] extends object ? One : never;
}[Method];

type BodyOf<Operation> = Operation extends {
  readonly requestBody: { readonly content: { readonly 'application/json': infer Body } };
}
  ? { readonly body: Body }
  : Operation extends {
        readonly requestBody?: { readonly content: { readonly 'application/json': infer Body } };
      }
    ? { readonly body?: Body }
    : { readonly body?: never };

type PartOf<Operation, Part extends 'path' | 'query'> = Operation extends {
  readonly parameters: infer Parameters;
}
  ? Pick<Parameters, Part & keyof Parameters>
  : never;

/** What a request has: the parameters of its path and query, its body, further options. */
export type RequestOf<Path extends keyof paths, One extends MethodOf<Path>> = PartOf<
  paths[Path][One],
  'path' | 'query'
> &
  BodyOf<paths[Path][One]> & { readonly init?: Omit<RequestInit, 'method' | 'body'> };

type Reply<Replies, Status> = Status extends keyof Replies
  ? Replies[Status] extends { readonly content: { readonly 'application/json': infer Body } }
    ? Body
    : undefined
  : never;

/** The body of a successful reply; `undefined` if it has none. */
export type ReplyOf<
  Path extends keyof paths,
  One extends MethodOf<Path>,
> = paths[Path][One] extends { readonly responses: infer Replies }
  ? Reply<Replies, 200 | 201 | 202 | 204>
  : never;

/** The request may be left out if nothing in it is required. */
type Given<Request> = object extends Request ? [request?: Request] : [request: Request];

/** One request, such as `call('get', '/api/items/{id}', { path: { id } })`. */
export type ApiCall = <Path extends keyof paths, One extends MethodOf<Path>>(
  method: One,
  path: Path,
  ...given: Given<RequestOf<Path, One>>
) => Promise<ReplyOf<Path, One>>;

interface PlainRequest {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly init?: RequestInit;
}

/** Makes typed calls over `json`, which sends a request and gives the body of its reply. */
export const createApiCall = (
  json: (path: string, init?: RequestInit) => Promise<unknown>,
): ApiCall =>
  (async (method: Method, path: string, request: PlainRequest = {}) => {
    const { body, init = {} } = request;
    const target = `${pathOf(path, request.path ?? {})}${queryOf(request.query ?? {})}`;
    if (body === undefined) return json(target, { ...init, method: method.toUpperCase() });
    const headers = new Headers(init.headers);
    headers.set('content-type', 'application/json');
    return json(target, {
      ...init,
      method: method.toUpperCase(),
      headers,
      body: JSON.stringify(body),
    });
  }) as ApiCall;

function pathOf(path: string, values: object): string {
  const known = new Map<string, unknown>(Object.entries(values));
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(known.get(name))),
  );
}

/** Lists are comma-separated, as the document says. */
export function queryOf(query: object): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
