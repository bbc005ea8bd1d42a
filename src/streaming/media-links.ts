import type { LinkedMedia, LinkTokens, Viewer } from '../accounts/index.ts';
import type { Files } from '../library/index.ts';

/** A link that a player can open. */
export interface MediaLink {
  readonly url: string;
  readonly expiresAt: string;
}

/** Links to media, for players that send no headers. */
export interface MediaLinks {
  /** `not_found` for what the viewer may not see, now; at each use it is asked again. */
  readonly create: (
    media: LinkedMedia,
    viewer: Viewer,
    lifetimeSeconds?: number,
  ) => Promise<MediaLink>;
}

/** What links are made of. */
export interface MediaLinksParts {
  readonly files: Pick<Files, 'get' | 'asset'>;
  readonly tokens: Pick<LinkTokens, 'create'>;
  /** Where clients reach the server, if the operator said so. */
  readonly publicUrl: string | null;
}

const usualLifetimeSeconds = 6 * 60 * 60;

/**
 * Creates the making of links. They begin with the public URL, or with the path alone: what a client
 * says in `Host` never comes into one, since it could lead whoever opens it elsewhere.
 */
export function createMediaLinks({ files, tokens, publicUrl }: MediaLinksParts): MediaLinks {
  return {
    create: async ({ kind, id }, viewer, lifetimeSeconds = usualLifetimeSeconds) => {
      await (kind === 'file' ? files.get(id, viewer) : files.asset(id, viewer));
      const { token, expiresAt } = tokens.create({ kind, id }, viewer, lifetimeSeconds);
      const path = kind === 'file' ? `/api/files/${id}/stream` : `/api/assets/${id}`;
      const flag = viewer.sight.showsHidden ? '&includeHidden' : '';
      return { url: `${publicUrl ?? ''}${path}?link=${token}${flag}`, expiresAt };
    },
  };
}
