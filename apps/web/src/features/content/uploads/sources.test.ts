import { describe, expect, it } from 'vitest'
import { scanEntries } from './sources.ts'
import { createJob, failedCount, failuresOf, jobState } from './upload-job.ts'

type Tree = { readonly [name: string]: Tree | 'file' | 'locked' }

/** Entries as a browser hands them out; a locked one is listed and cannot be read. */
function entryOf(name: string, node: Tree | 'file' | 'locked'): FileSystemEntry {
  const refuse = (_taken: unknown, failed: (error: DOMException) => void) =>
    failed(new DOMException('', 'NotReadableError'))
  const file = (taken: (file: File) => void) => taken(new File(['x'], name))
  if (typeof node === 'string') {
    return { name, isFile: true, isDirectory: false, file: node === 'locked' ? refuse : file } as never
  }
  const children = Object.entries(node).map(([child, below]) => entryOf(child, below))
  const readEntries = (taken: (some: FileSystemEntry[]) => void, failed: (error: DOMException) => void) =>
    'locked' in node ? refuse(taken, failed) : taken(children.splice(0))
  return { name, isFile: false, isDirectory: true, createReader: () => ({ readEntries }) } as never
}

describe('a drop', () => {
  it('of which something cannot be read brings the rest, and names what is missing', async () => {
    const tree = {
      fine: 'file',
      secret: 'locked',
      sub: { also: 'file' },
      closed: { locked: 'locked' },
      empty: {},
    } as const
    const scan = { signal: new AbortController().signal, now: () => 0, onProgress: () => undefined }
    const { files, emptyFolders, unreadable } = await scanEntries([entryOf('set', tree)], scan)
    expect(files.map(({ relativePath }) => relativePath)).toEqual(['set/fine', 'set/sub/also'])
    expect(emptyFolders).toEqual(['set/empty'])
    expect(unreadable).toEqual(['set/secret', 'set/closed'])
  })

  it('counts what could not be read as failed, also when all else arrived', () => {
    const place = { spaceId: 1, groupId: 0 }
    const parts = { sources: [], emptyFolders: [], unreadable: ['set/secret'] }
    const job = createJob({ id: 1, name: 'set', isGroup: true, folder: '/', place, addedAt: 0, ...parts })
    job.isScanning = false
    expect([failedCount(job), jobState(job, false)]).toEqual([1, 'failed'])
    expect(failuresOf(job).map(({ path }) => path)).toEqual(['set/secret'])
  })
})
