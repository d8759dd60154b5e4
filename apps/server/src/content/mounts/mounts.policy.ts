import { foldName } from '../access/index.ts'

/** First names on a storage that the product gives out itself: the homes of accounts, the libraries of groups, other spaces. */
const OWN = new Set(['users', 'groups', 'spaces'])

/** Why a folder may not be mounted; the text is for administrators. */
export function folderFault(path: string, others: readonly string[]): string | undefined {
  const [first = ''] = path.split('/')
  if (path === '') return 'must be a folder of the storage, not all of it'
  if (OWN.has(foldName(first))) return 'must be apart from the homes of accounts and groups'
  const key = foldPath(path)
  const isNested = others.map(foldPath).some((other) => isAtOrBelow(key, other) || isAtOrBelow(other, key))
  return isNested ? 'must be apart from every other virtual directory' : undefined
}

/** Folders that differ only in case may be one on the storage. */
export function foldPath(path: string): string {
  return path.split('/').map(foldName).join('/')
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
