export type { Group } from './group.ts';
export { createGroups } from './groups.ts';
export type { GroupChanges, Groups, GroupsPage, GroupsParts, NewGroup } from './groups.ts';
export {
  maxVisibilityOf,
  checkedAccess,
  createUserAccessCheck,
  visibilityOfAccess,
} from './user-access.ts';
