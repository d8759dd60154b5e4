import type { FilesDeps } from '../../content/files/index.ts'
import type { RunningDownloads } from '../../content/downloads/index.ts'
import type { Intake } from '../../content/intake/index.ts'
import type { Quotas } from '../../content/quotas/index.ts'
import type { Recycle } from '../../content/recycle/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { AuthDeps } from '../../identity/auth/index.ts'
import { loadJobPrincipal } from '../../identity/principals/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createClientAddresses } from '../http/index.ts'
import { webdavEndpoints } from './webdav.endpoints.ts'
import { WEBDAV_SETTINGS } from './webdav.settings.ts'

export interface WebdavFeatureDeps {
  readonly auth: AuthDeps
  readonly settings: Settings
  readonly files: FilesDeps
  readonly quotas: Quotas
  readonly intake: Intake
  readonly downloads: RunningDownloads
  readonly recycle: Recycle
}

export function webdavFeature(kernel: Kernel, given: WebdavFeatureDeps): Feature {
  const { files, quotas } = given
  const jobs = {
    ...kernel,
    files,
    quotas,
    principalOf: (job: { readonly id: string; readonly ownerId: string }) => loadJobPrincipal(kernel, job),
  }
  const addresses = createClientAddresses(kernel.config.trustedProxies)
  return defineFeature({
    name: 'webdav',
    settings: WEBDAV_SETTINGS,
    raw: webdavEndpoints({ ...kernel, ...given, jobs, addresses }),
  })
}
