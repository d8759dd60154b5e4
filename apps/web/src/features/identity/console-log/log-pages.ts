export { OperationsPage } from './operations.page.tsx'
export { SignInsPage } from './sign-ins.page.tsx'
