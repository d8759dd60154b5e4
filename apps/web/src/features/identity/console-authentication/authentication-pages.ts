export { EditProviderPage, NewProviderPage, NewSamlPage, NewSignOnPage } from './provider-form.page.tsx'
export { ProvidersPage } from './providers.page.tsx'
export { SyncPage } from './sync.page.tsx'
export { SyncsPage } from './syncs.page.tsx'
