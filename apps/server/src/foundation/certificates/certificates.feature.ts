import os from 'node:os'
import { isCertificateName, SELF_SIGNED_DAYS } from '@godwit/contract'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { hostOf } from './certificates.present.ts'
import { certificateEndpoints } from './certificates.routes.ts'
import { putSelfSigned, remindOfEnd, watchCertificate, type CertificateInForce } from './certificates.service.ts'
import { certificatesStore } from './certificates.store.ts'

export interface SiteCertificate extends CertificateInForce {
  /** HTTPS is served at this port. */
  servedAt(port: number): void
}

/** Another node's change, and one at the shell, is seen at the latest after this long. */
const LOOK_MS = 1_000
const REMIND_MS = 3_600_000

/** The certificate of the site: given in the console or at the shell, shared by all nodes, replaced while they run. */
export function certificatesFeature(kernel: Kernel): FeatureWith<SiteCertificate> {
  let httpsPort: number | null = null
  const inForce = watchCertificate(kernel)
  return defineFeature<SiteCertificate>({
    name: 'certificates',
    api: {
      current: () => inForce.current(),
      onChange: (listener) => inForce.onChange(listener),
      servedAt: (port) => void (httpsPort = port),
    },
    endpoints: certificateEndpoints({
      ...kernel,
      inForce,
      siteHost: hostOf(kernel.config.publicUrl),
      httpsPort: () => httpsPort,
    }),
    every: [
      { name: 'watch', everyMs: LOOK_MS, work: () => inForce.refresh() },
      { name: 'remind', everyMs: REMIND_MS, onOneNode: true, work: () => remindOfEnd(kernel) },
    ],
    async start() {
      if (kernel.config['tls.selfSigned'] === 'on') await makeFirst(kernel)
      await inForce.refresh()
    },
  })
}

/** Of several nodes that start at once one makes it. */
async function makeFirst(kernel: Kernel): Promise<void> {
  await kernel.locks.run('certificates.first', async () => {
    if ((await certificatesStore.currentId(kernel.db)) !== undefined) return
    const own = [hostOf(kernel.config.publicUrl), os.hostname().toLowerCase(), 'localhost', '127.0.0.1', '::1']
    const names = [...new Set(own.filter(isCertificateName))]
    await putSelfSigned(kernel, { names, days: SELF_SIGNED_DAYS, by: '' })
  })
}
