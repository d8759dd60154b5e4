export { GroupsPage } from './groups.page.tsx'
export { GroupTransferPage } from './group-transfer.page.tsx'
export { MembersPage } from './members.page.tsx'
