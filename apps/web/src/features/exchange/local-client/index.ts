export { createLocalLink } from './local-link.ts'
export { LocalPage } from './local.page.tsx'
