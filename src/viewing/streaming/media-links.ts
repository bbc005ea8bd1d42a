import type { LinkedMedia, LinkTokens } from '../../people/credentials/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { Files } from '../../library/catalogue/index.ts';
import type { MediaLink } from '../../contract/resources/viewing/media-links.ts';

/** Links to media, for players that cannot send headers. */
export type MediaLinks = ReturnType<typeof createMediaLinks>;

export interface MediaLinksParts {
  readonly files: Pick<Files, 'get' | 'asset'>;
  readonly tokens: Pick<LinkTokens, 'create'>;
  /** The address of the server for clients, if the operator set it. */
  readonly publicUrl: string | null;
}

const usualLifetimeSeconds = 6 * 60 * 60;

/**
 * Creates links. They begin with the public URL, or are a path: the `Host` of a request is not
 * used, since it could lead users of the link to another server.
 */
export function createMediaLinks({ files, tokens, publicUrl }: MediaLinksParts) {
  return {
    /** `not_found` for what the viewer may not see; it is checked again at each use. */
    create: async (
      { kind, id }: LinkedMedia & { readonly kind: 'file' | 'asset' },
      viewer: Viewer,
      lifetimeSeconds: number = usualLifetimeSeconds,
    ): Promise<MediaLink> => {
      await (kind === 'file' ? files.get(id, viewer) : files.asset(id, viewer));
      const { token, expiresAt } = tokens.create({ kind, id }, viewer, lifetimeSeconds);
      const path = kind === 'file' ? `/api/files/${id}/stream` : `/api/assets/${id}`;
      const flag = viewer.visibility.showsHidden ? '&includeHidden' : '';
      return { url: `${publicUrl ?? ''}${path}?link=${token}${flag}`, expiresAt };
    },
  };
}
