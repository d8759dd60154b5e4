import { routes } from '@godwit/contract/table'
import type { Api } from '../../../lib/http.ts'
import { LOCK_PREFIX } from './send-file.ts'
import type { Ghost } from './upload-views.ts'

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
