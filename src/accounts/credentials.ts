import type { ApiKeys } from './api-keys.ts';
import type { Viewer } from './viewer.ts';

/** Tells who stands behind an `Authorization` header; `null` = nobody that the server knows. */
export type Authenticate = (authorization: string) => Promise<Viewer | null>;

const bearer = /^Bearer +(\S{1,200}) *$/i;

/**
 * Reads `Authorization: Bearer <token>`. The prefix of the token says what it is: `vtk_` is an API
 * key. A token anywhere else - in the URL, say, which ends up in logs - is none.
 */
export const createAuthenticate =
  (apiKeys: Pick<ApiKeys, 'viewerOf'>): Authenticate =>
  async (authorization) => {
    const token = bearer.exec(authorization)?.[1];
    return token === undefined ? null : apiKeys.viewerOf(token);
  };
