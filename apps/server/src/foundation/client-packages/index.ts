export { clientPackagesFeature } from './client-packages.feature.ts'
export { type ClientPackages } from './client-packages.service.ts'
