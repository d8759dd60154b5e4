export { webdavFeature } from './webdav.feature.ts'
