import { routes } from '@godwit/contract/table'
import type { Api } from '../../../lib/http.ts'
import { joinPath } from '../../../lib/paths.ts'
import type { UploadJob } from './upload-job.ts'
import type { Ghost } from './upload-views.ts'

/** Of the locks that say which uploads an open page works on. */
export const LOCK_PREFIX = 'godwit.upload.'

/** Unfinished uploads of this person that no open page is working on. */
export async function findGhosts(api: Api): Promise<readonly Ghost[]> {
  const [{ items }, { held = [] }] = await Promise.all([api.call(routes.uploads.mine, {}), navigator.locks.query()])
  const busy = new Set(held.map(({ name = '' }) => name.slice(LOCK_PREFIX.length)))
  return items
    .filter(({ state, uploadId }) => state === 'open' && !busy.has(uploadId))
    .map(({ uploadId, filename, folder, size, ranges }) => ({
      uploadId,
      name: filename,
      folder,
      bytes: size,
      sent: ranges.reduce((sum, [start, end]) => sum + end - start, 0),
    }))
}

/** Ghosts that no queued job goes on with: known by its upload, or, before the server was asked, as the same file. */
export function unclaimedGhosts(ghosts: readonly Ghost[], jobs: readonly UploadJob[]): readonly Ghost[] {
  if (ghosts.length === 0 || jobs.length === 0) return ghosts
  const claimed = new Set<string | undefined>()
  for (const { folder, items } of jobs) {
    for (const { source, size, upload } of items) {
      if (upload !== undefined) claimed.add(upload.id)
      claimed.add(fileKey(joinPath(folder, source.relativePath), size))
    }
  }
  return ghosts.filter((ghost) => {
    const { uploadId, folder, name, bytes } = ghost
    return !claimed.has(uploadId) && !claimed.has(fileKey(joinPath(folder, name), bytes))
  })
}

function fileKey(path: string, size: number): string {
  return `${size} ${path.normalize()}`
}
