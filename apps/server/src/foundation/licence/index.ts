export { licenceFeature, type SiteLicence } from './licence.feature.ts'
export { newLicenceCode, licenceCodeHash, readLicence, signLicence, type LicenceBody } from './licence.file.ts'
export {
  installLicence,
  lookAtTerms,
  machineCode,
  removeLicence,
  type Licence,
  type LicenceDeps,
} from './licence.service.ts'
export type { LicencesTable } from './licence.schema.ts'
export { licencesStore } from './licence.store.ts'
export { daysLeft, type LicenceTerms } from './licence.terms.ts'
