import { allRoutes, type HttpApp, type Mount, type RouteParts } from '../../../src/http/index.ts';
import { createTestApp } from './http.ts';

/** Every route of the server, over domains that do not exist. The caller closes it. */
export const createRoutesApp = (before: readonly Mount[] = []): Promise<HttpApp> =>
  createTestApp([...before, ...allRoutes(unreachable())]);

/** Domains that fail every call: a 500 shows that the access check let a request pass. */
function unreachable(): RouteParts {
  const domain: object = new Proxy(
    { close: () => undefined },
    { get: (known, name) => Reflect.get(known, name) ?? domain },
  );
  return new Proxy({}, { get: () => domain }) as RouteParts;
}

/** The API document, as text. */
export async function readApiDocument(): Promise<string> {
  const app = await createRoutesApp();
  const { payload } = await app.inject('/api/openapi.json');
  await app.close();
  return payload;
}
