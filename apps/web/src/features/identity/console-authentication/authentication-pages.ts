export {
  EditProviderPage,
  NewHttpPage,
  NewMailLoginPage,
  NewProviderPage,
  NewSamlPage,
  NewSignOnPage,
  NewUnixPage,
} from './provider-form.page.tsx'
export { ProvidersPage } from './providers.page.tsx'
export { ScimPage } from './scim.page.tsx'
export { SyncPage } from './sync.page.tsx'
export { SyncsPage } from './syncs.page.tsx'
