export { feature } from './feature.ts'
export { LinkDialogs, useLinkDialogs } from './link-dialogs.tsx'
