import type { Foundation } from '../foundation/features.ts'
import type { Identity } from '../identity/features.ts'
import type { AddFeature } from '../kernel/feature.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { accountSpeedsFeature } from './account-speeds/index.ts'
import { activityFeature } from './activity/index.ts'
import { archivesFeature } from './archives/index.ts'
import { cleaningFeature } from './cleaning/index.ts'
import { downloadsFeature } from './downloads/index.ts'
import { filesFeature } from './files/index.ts'
import { fullTextFeature } from './full-text/index.ts'
import { groupsFeature } from './groups/index.ts'
import { intakeFeature } from './intake/index.ts'
import { marksFeature } from './marks/index.ts'
import { mountsFeature } from './mounts/index.ts'
import { previewsFeature } from './previews/index.ts'
import { quotasFeature } from './quotas/index.ts'
import { recycleFeature } from './recycle/index.ts'
import { removalsFeature } from './removals/index.ts'
import { sealedBodiesFeature } from './sealed-bodies/index.ts'
import { searchFeature } from './search/index.ts'
import { spacesFeature } from './spaces/index.ts'
import { undoFeature } from './undo/index.ts'
import { uploadsFeature } from './uploads/index.ts'
import { versionsFeature } from './versions/index.ts'

/** The features of this layer in start order. @returns what the layers above are given of them */
export function contentFeatures(kernel: Kernel, add: AddFeature, given: Foundation & Identity) {
  const { storages, settings, state, licence, pictures, conversions, branding, mail, sessions } = given
  const quotas = add(quotasFeature(kernel))
  const files = add(filesFeature(kernel, { storages, quotas, settings }))
  add(activityFeature(files))
  add(marksFeature(files))
  const recycle = add(recycleFeature(kernel, { files, quotas }))
  add(undoFeature(kernel, { files, quotas, recycle }))
  const { groupsOf } = add(groupsFeature(kernel, { files, quotas, settings }))
  add(mountsFeature(kernel))
  const sealing = add(sealedBodiesFeature(kernel, { settings }))
  add(spacesFeature(kernel, { mail, quotas, settings, groupsOf, sealing }))
  const speeds = add(accountSpeedsFeature(kernel, { licence, settings }))
  const sink = add(intakeFeature(kernel, { files, quotas, sessions, speeds, settings, state }))
  const { intake } = sink
  add(uploadsFeature(kernel, { ...sink, sealed: sealing.bodies }))
  add(versionsFeature(kernel, { files, quotas }))
  add(removalsFeature(kernel, { files, quotas, storages, intake }))
  const downloads = add(downloadsFeature(kernel, { files, sessions, speeds, settings, state }))
  add(archivesFeature(kernel, { files, quotas, intake }))
  const watermarks = add(previewsFeature(kernel, { files, downloads, pictures, conversions, settings, branding }))
  add(searchFeature(kernel, { files, settings, ...add(fullTextFeature(kernel, { settings, storages })) }))
  add(cleaningFeature(kernel, { storages, recycle: recycle.file }))
  return { quotas, files, recycle, sealing, speeds, sink, intake, downloads, watermarks }
}

export type Content = ReturnType<typeof contentFeatures>
