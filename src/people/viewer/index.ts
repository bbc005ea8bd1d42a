export type { ProfileResolver } from './active-profile.ts';
export { assertFullAdmin } from './admins-only.ts';
export { readLimit, toLibraryAccess, writeLimit, type Limit } from './library-access.ts';
export {
  isAtLeast,
  isFullAdmin,
  libraryIdsOf,
  maySeeLibrary,
  serverViewer,
  withHidden,
  withoutLocale,
  type CredentialKind,
  type Role,
  type Viewer,
} from './viewer.ts';
export { fullVisibility, intersect, visibilityOfLibraries, type Visibility } from './visibility.ts';
