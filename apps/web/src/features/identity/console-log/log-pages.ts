export { OperationsPage } from './operations.page.tsx'
export { PreviewsPage } from './previews.page.tsx'
export { SignInsPage } from './sign-ins.page.tsx'
