export { GroupsPage } from './groups.page.tsx'
export { MembersPage } from './members.page.tsx'
