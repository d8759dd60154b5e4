import type { UploadView } from '@godwit/contract'
import type { LiveUpload } from '../intake/index.ts'

/** @param shown a path as the caller sees it */
export function presentUpload(live: LiveUpload, shown: (path: string) => string = (path) => path): UploadView {
  const { row } = live
  const isDone = live.state === 'completed'
  const path = shown(row.path)
  const cut = path.lastIndexOf('/')
  return {
    uploadId: row.id,
    state: live.state,
    folder: path.slice(0, cut) || '/',
    filename: path.slice(cut + 1),
    path,
    size: row.size ?? 0,
    partSize: row.part_size,
    ranges: isDone && row.size !== null && row.size > 0 ? [[0, row.size]] : live.ranges,
    expiresAt: row.expires_at,
    lastModified: row.last_modified,
  }
}
