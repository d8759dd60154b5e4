export { ownMailFeature } from './own-mail.feature.ts'
