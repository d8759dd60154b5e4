export { StoragesPage } from './storages.page.tsx'
export { EditStoragePage, NewStoragePage } from './storage-form.page.tsx'
