export { feature } from './feature.ts'
export { LinksOn } from './lazy-links-on.tsx'
export { LinkDialogs, useLinkDialogs } from './link-dialogs.tsx'
