import type { Entry } from '@godwit/storage'
import type { FileLock } from '../../content/file-locks/index.ts'
import { hrefOf } from './webdav.paths.ts'
import { lockTokenUrl } from './webdav.if-header.ts'
import { escapeXml } from '../../kernel/xml.ts'

/** What the live properties of one entry are made of. */
export interface Shown {
  /** Names from the top of the tree. */
  readonly names: readonly string[]
  readonly isFolder: boolean
  readonly size: number
  /** Unix milliseconds; 0: unknown. */
  readonly modifiedMs: number
  /** undefined where nobody asked the storage, '' where it has none. */
  readonly etag: string | undefined
  readonly locks: readonly FileLock[]
  readonly quota: { readonly usedBytes: number; readonly quotaBytes: number } | undefined
}

export function shownEntry(names: readonly string[], entry: Entry): Shown {
  const { kind, size, modifiedMs, etag } = entry
  return { names, isFolder: kind === 'folder', size, modifiedMs, etag, locks: [], quota: undefined }
}

type Write = (shown: Shown, now: number) => string | undefined

const LOCK_ENTRIES = ['exclusive', 'shared']
  .map((scope) => {
    const type = '<D:locktype><D:write/></D:locktype>'
    return `<D:lockentry><D:lockscope><D:${scope}/></D:lockscope>${type}</D:lockentry>`
  })
  .join('')

/** Each returns the content of its element, undefined where an entry does not have the property. */
const LIVE: Readonly<Record<string, Write>> = {
  resourcetype: ({ isFolder }) => (isFolder ? '<D:collection/>' : ''),
  displayname: ({ names }) => escapeXml(names.at(-1) ?? ''),
  // Storages keep no time of creation that survives a copy; the last change is what is known.
  creationdate: ({ modifiedMs }) => (modifiedMs > 0 ? dateOf(modifiedMs).toISOString() : undefined),
  getlastmodified: ({ modifiedMs }) => (modifiedMs > 0 ? dateOf(modifiedMs).toUTCString() : undefined),
  getcontentlength: ({ isFolder, size }) => (isFolder ? undefined : String(size)),
  getcontenttype: ({ isFolder }) => (isFolder ? undefined : 'application/octet-stream'),
  getetag: ({ isFolder, etag }) => (isFolder || etag === undefined || etag === '' ? undefined : escapeXml(`"${etag}"`)),
  supportedlock: () => LOCK_ENTRIES,
  lockdiscovery: ({ locks }, now) => locks.map((lock) => activeLock(lock, now)).join(''),
  'quota-available-bytes': ({ quota }) =>
    quota === undefined || quota.quotaBytes === 0 ? undefined : String(Math.max(0, quota.quotaBytes - quota.usedBytes)),
  'quota-used-bytes': ({ quota }) => (quota === undefined ? undefined : String(quota.usedBytes)),
}

/** Asked for by name only (RFC 4331 §2). */
const QUOTA = new Set(['quota-available-bytes', 'quota-used-bytes'])

export const LIVE_NAMES: readonly string[] = Object.keys(LIVE)
export const ALLPROP_NAMES: readonly string[] = LIVE_NAMES.filter((name) => !QUOTA.has(name))

/** @returns the element, undefined where the entry does not have it */
export function writeLive(name: string, shown: Shown, now: number): string | undefined {
  const content = Object.hasOwn(LIVE, name) ? LIVE[name]?.(shown, now) : undefined
  if (content === undefined) return undefined
  return content === '' ? `<D:${name}/>` : `<D:${name}>${content}</D:${name}>`
}

/** A storage may hold any number as a time. */
function dateOf(ms: number): Date {
  return new Date(Math.min(ms, 8.64e15))
}

export function activeLock(lock: FileLock, now: number): string {
  const seconds = Math.max(1, Math.ceil((lock.expiresAt - now) / 1000))
  return [
    '<D:activelock><D:locktype><D:write/></D:locktype>',
    `<D:lockscope><D:${lock.isShared ? 'shared' : 'exclusive'}/></D:lockscope>`,
    `<D:depth>${lock.isDeep ? 'infinity' : '0'}</D:depth>`,
    // Written by us when it was read.
    lock.owner === '' ? '' : `<D:owner>${lock.owner}</D:owner>`,
    `<D:timeout>Second-${seconds}</D:timeout>`,
    `<D:locktoken><D:href>${lockTokenUrl(lock.token)}</D:href></D:locktoken>`,
    '</D:activelock>',
  ].join('')
}

export function hrefOfShown({ names, isFolder }: Shown): string {
  return hrefOf(names, isFolder)
}
