import type { FileItem } from '@godwit/contract'
import type { Api, PlaceIds } from './api.ts'

/** Everything in a folder of a server, page after page. @throws ApiError */
export async function* eachItem(api: Pick<Api, 'list'>, place: PlaceIds, folder: string): AsyncGenerator<FileItem> {
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<Api['list']>> = await api.list(place, folder, cursor)
    yield* page.items
    if (page.next === null) return
    cursor = page.next
  }
}
