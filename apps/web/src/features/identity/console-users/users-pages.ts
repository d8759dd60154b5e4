export { EditUserPage, NewUserPage } from './user-form.page.tsx'
export { UsersPage } from './users.page.tsx'
