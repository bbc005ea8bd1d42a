export { isAtLeast, isFullAdmin, maySeeLibrary, roles, serverViewer } from './viewer.ts';
export type { Role, Viewer } from './viewer.ts';
