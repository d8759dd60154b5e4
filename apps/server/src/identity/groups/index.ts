export type { GroupMemberRow, GroupRow } from './groups.schema.ts'
export {
  addGroup,
  changeGroup,
  listGroups,
  MEMBER_PERMISSION,
  removeGroup,
  removeMember,
  requireGroup,
  setMember,
} from './groups.service.ts'
export { groupsStore, type Membership } from './groups.store.ts'
export { groupsSearch } from './groups.search.ts'
