export { certificatesFeature } from './certificates.feature.ts'
export { hostOf, presentCertificate } from './certificates.present.ts'
export { putCertificate, putSelfSigned, removeCertificate } from './certificates.service.ts'
export { certificatesStore } from './certificates.store.ts'
