export { AdministratorsPage } from './administrators.page.tsx'
export { EditRolePage, NewRolePage } from './role-form.page.tsx'
export { RolesPage } from './roles.page.tsx'
export { SessionsPage } from './sessions.page.tsx'
