import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { hostOf } from './certificates.present.ts'
import { certificateEndpoints } from './certificates.routes.ts'
import { remindOfEnd, watchCertificate, type CertificateInForce } from './certificates.service.ts'

/** Another node's change, and one at the shell, is seen at the latest after this long. */
const LOOK_MS = 1_000
const REMIND_MS = 3_600_000

/** The certificate of the site: given in the console or at the shell, shared by all nodes, replaced while they run. */
export function certificatesFeature(kernel: Kernel): FeatureWith<CertificateInForce> {
  const inForce = watchCertificate(kernel)
  return defineFeature<CertificateInForce>({
    name: 'certificates',
    api: inForce,
    endpoints: certificateEndpoints({
      ...kernel,
      inForce,
      siteHost: hostOf(kernel.config.publicUrl),
      httpsPort: () => null,
    }),
    every: [
      { name: 'watch', everyMs: LOOK_MS, work: () => inForce.refresh() },
      { name: 'remind', everyMs: REMIND_MS, onOneNode: true, work: () => remindOfEnd(kernel) },
    ],
    start: () => inForce.refresh(),
  })
}
