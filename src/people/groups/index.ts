export { findGroups } from './group-store.ts';
export { createGroups, type Groups } from './groups.ts';
export {
  accessIn,
  checkedAccess,
  createUserAccessCheck,
  maxVisibilityOf,
  visibilityOfAccess,
} from './user-access.ts';
