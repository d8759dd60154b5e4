export { GroupsPage } from './groups.page.tsx'
export { GroupSpeedPage } from './group-speed.page.tsx'
export { MembersPage } from './members.page.tsx'
