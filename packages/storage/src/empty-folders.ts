import type { ObjectStore } from './object-store.ts'

/**
 * Whether nothing at all is in a folder, so that removing it removes nothing else: what no key can name is left out of a listing, and
 * would go along.
 * @throws as list()
 */
export async function isEmptyFolder(store: Pick<ObjectStore, 'list'>, key: string): Promise<boolean> {
  for await (const page of store.list(key)) if (page.names.length > 0 || page.leftOut > 0) return false
  return true
}
