import { visits } from '@godwit/contract/table/visits'
import type { FileOperationName } from '@godwit/contract'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { Api } from '../../../lib/http.ts'

/** The wire wants a place with each upload. That of a guest is not looked at: paths count from what is shared. */
export const VISIT_PLACE = { spaceId: 1, groupId: 0 } as const

/**
 * The file operations that a guest has, under the names that uploads and the viewer call them by. A taken name gets a
 * number on the server, so nothing is ever in the way.
 */
export function createVisitOperations(api: Api): FileOperations {
  const byName: Partial<Record<FileOperationName, (input: never, signal?: AbortSignal) => Promise<unknown>>> = {
    exists: () => Promise.resolve({ items: [] }),
    mkdir: ({ folder, name }: { readonly folder: string; readonly name: string }) =>
      api.call(visits.mkdir, { body: { folder, name } }),
    viewed: (body: { readonly viewId: string; readonly isOver: boolean }) =>
      api.call(visits.viewed, { body }, { keepalive: true }),
    preview: ({ path }: { readonly path: string }, signal) =>
      api.call(visits.preview, { body: { path } }, signal === undefined ? {} : { signal }),
  }
  return (operation, input, signal) => {
    const run = byName[operation]
    if (run === undefined) throw new Error(`guests have no operation ${operation}`)
    return run(input as never, signal) as never
  }
}
