import { fullVisibility, type Visibility } from './visibility.ts';
import { roles } from '../../contract/resources/accounts/accounts.ts';

/** What a user may do in general: all of what those after it in the list may, and more. */
export type Role = (typeof roles)[number];

/** The kind of credential of a request. */
export type CredentialKind = 'api-key' | 'session' | 'identity' | 'server';

/**
 * The person or key for which a request runs. Every query of a domain takes one and filters by it.
 */
export interface Viewer {
  readonly credentialId: string;
  readonly credentialKind: CredentialKind;
  /** The user of the credential. */
  readonly userId: string;
  /** The profile of the request. */
  readonly profileId: string;
  /** The credential's role, never higher than its user's. */
  readonly role: Role;
  readonly isReadOnly: boolean;
  /** What user, profile and credential may all see. */
  readonly visibility: Visibility;
  /** The language that the profile prefers, else that of the client (BCP 47), if one is known. */
  readonly locale?: string;
}

/** The server itself, for work without a client. */
export const serverViewer: Viewer = {
  credentialId: 'server',
  credentialKind: 'server',
  userId: 'server',
  profileId: 'server',
  role: 'admin',
  isReadOnly: false,
  visibility: fullVisibility,
};

/** The only libraries that a viewer may see; `null` = all. */
export const libraryIdsOf = ({ visibility }: Viewer): readonly string[] | null =>
  visibility.libraries === null ? null : [...visibility.libraries.keys()];

/** Whether the viewer may see any item of the library. */
export const maySeeLibrary = ({ visibility }: Viewer, libraryId: string): boolean =>
  visibility.libraries?.has(libraryId) ?? true;

/** The viewer of a request, with or without hidden things: they need a license. */
export const withHidden = (
  viewer: Viewer,
  isAsked: boolean,
  hasActiveLicense: () => boolean,
): Viewer =>
  isAsked && hasActiveLicense()
    ? { ...viewer, visibility: { ...viewer.visibility, showsHidden: true } }
    : viewer;

/** The viewer without a language: titles and summaries are then read as they are stored. */
export function withoutLocale({ locale: _, ...viewer }: Viewer): Viewer {
  return viewer;
}

/** Whether the viewer is an admin of the whole server, not of some libraries only. */
export const isFullAdmin = ({ role, visibility }: Viewer): boolean =>
  role === 'admin' && visibility.libraries === null;

/** Whether one role includes the rights of another. */
export const isAtLeast = (role: Role, least: Role): boolean =>
  roles.indexOf(role) <= roles.indexOf(least);
