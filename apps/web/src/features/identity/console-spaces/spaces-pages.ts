export { SpacesPage } from './spaces.page.tsx'
export { SpaceMembersPage } from './space-members.page.tsx'
export { SpaceMovePage } from './space-move.page.tsx'
export { SpaceRulesPage } from './space-rules.page.tsx'
