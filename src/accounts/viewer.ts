import { fullSight, type Sight } from './sight.ts';

/** What somebody may do. Each role may also do what those after it may. */
export const roles = ['admin', 'user', 'guest'] as const;

/** One role. */
export type Role = (typeof roles)[number];

/** What kind of credential a request came with. */
export type CredentialKind = 'api-key' | 'session' | 'identity' | 'server';

/** Who asks. Every query of a domain takes one and obeys it. */
export interface Viewer {
  readonly credentialId: string;
  readonly credentialKind: CredentialKind;
  /** Whose credential it is. */
  readonly userId: string;
  /** As which profile of that user the request acts. */
  readonly profileId: string;
  /** The credential's role, never more than its user's. */
  readonly role: Role;
  readonly isReadOnly: boolean;
  /** What user, profile and credential may see, all three. */
  readonly sight: Sight;
  /** The language that the client asks for first (BCP 47), where it names one. */
  readonly locale?: string;
}

/** The server itself, where no client stands behind a question. */
export const serverViewer: Viewer = {
  credentialId: 'server',
  credentialKind: 'server',
  userId: 'server',
  profileId: 'server',
  role: 'admin',
  isReadOnly: false,
  sight: fullSight,
};

/** The only libraries that a viewer may see; `null` = all. */
export const libraryIdsOf = ({ sight }: Viewer): readonly string[] | null =>
  sight.libraries === null ? null : [...sight.libraries.keys()];

/** Whether the viewer may see something of what lies in the library. */
export const maySeeLibrary = ({ sight }: Viewer, libraryId: string): boolean =>
  sight.libraries?.has(libraryId) ?? true;

/** The viewer of a request that asks for hidden things, or does not: without a license nobody gets them. */
export const withHidden = (
  viewer: Viewer,
  isAsked: boolean,
  hasActiveLicense: () => boolean,
): Viewer =>
  isAsked && hasActiveLicense()
    ? { ...viewer, sight: { ...viewer.sight, showsHidden: true } }
    : viewer;

/** Whether the viewer is an admin of the whole server, not of some libraries only. */
export const isFullAdmin = ({ role, sight }: Viewer): boolean =>
  role === 'admin' && sight.libraries === null;

/** Whether one role may do what another may. */
export const isAtLeast = (role: Role, least: Role): boolean =>
  roles.indexOf(role) <= roles.indexOf(least);
