/** What somebody may do. Each role may also do what those after it may. */
export const roles = ['admin', 'user', 'guest'] as const;

/** One role. */
export type Role = (typeof roles)[number];

/** Who asks. Every query of a domain takes one and obeys it. */
export interface Viewer {
  readonly credentialId: string;
  readonly role: Role;
  /** The only libraries that may be seen; `null` = all. */
  readonly libraryIds: readonly string[] | null;
  readonly isReadOnly: boolean;
}

/** The server itself, where no client stands behind a question. */
export const serverViewer: Viewer = {
  credentialId: 'server',
  role: 'admin',
  libraryIds: null,
  isReadOnly: false,
};

/** Whether the viewer may see what lies in the library. */
export const maySeeLibrary = (viewer: Viewer, libraryId: string): boolean =>
  viewer.libraryIds === null || viewer.libraryIds.includes(libraryId);

/** Whether the viewer is an admin of the whole server, not of some libraries only. */
export const isFullAdmin = (viewer: Viewer): boolean =>
  viewer.role === 'admin' && viewer.libraryIds === null;

/** Whether one role may do what another may. */
export const isAtLeast = (role: Role, least: Role): boolean =>
  roles.indexOf(role) <= roles.indexOf(least);
