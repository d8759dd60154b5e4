export { DeliveriesPage } from './deliveries.page.tsx'
export { EditHookPage, NewHookPage } from './hook-form.page.tsx'
export { HooksPage } from './hooks.page.tsx'
