export { Bell } from './bell.tsx'
export { NoticesPage } from './lazy-page.tsx'
