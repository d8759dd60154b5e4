import type { UploadView } from '@godwit/contract'
import type { LiveUpload } from '../intake/index.ts'

export function presentUpload(live: LiveUpload): UploadView {
  const { row } = live
  const isDone = live.state === 'completed'
  const cut = row.path.lastIndexOf('/')
  return {
    uploadId: row.id,
    state: live.state,
    folder: row.path.slice(0, cut) || '/',
    filename: row.path.slice(cut + 1),
    path: row.path,
    size: row.size ?? 0,
    partSize: row.part_size,
    ranges: isDone && row.size !== null && row.size > 0 ? [[0, row.size]] : live.ranges,
    expiresAt: row.expires_at,
    lastModified: row.last_modified,
  }
}
