import { ApiError } from '@godwit/contract/wire/api-error'
import { describe, expect, it } from 'vitest'
import type { FileOperations } from '../../../lib/file-operations.ts'
import { makeEmptyFolders } from './empty-folders.ts'
import { refuseNames } from './refused-names.ts'
import { createJob, failedCount, failuresOf, jobState } from './upload-job.ts'

function jobOf(names: readonly string[], emptyFolders: readonly string[] = []) {
  const sources = names.map((relativePath) => ({ file: { size: 1 } as File, relativePath }))
  const place = { spaceId: 1, groupId: 0 }
  return createJob({ id: 1, name: 'drop', isGroup: true, folder: '/in', place, sources, emptyFolders, addedAt: 0 })
}

describe('names that the server would refuse', () => {
  it('fail by themselves, wherever in the path, and the others wait to be sent', () => {
    const job = jobOf(['ok.txt', 'a:b.txt', 'set/con/x', 'set/fine.txt', `${'a/'.repeat(2100)}deep`])
    refuseNames(job)
    expect(job.items.map(({ state }) => state)).toEqual(['pending', 'failed', 'failed', 'pending', 'failed'])
    const codes = failuresOf(job).map(({ path, error }) => [path.slice(0, 9), (error as ApiError).code])
    expect(codes).toEqual([
      ['a:b.txt', 5104],
      ['set/con/x', 5104],
      ['a/a/a/a/a', 5105],
    ])
  })
})

describe('empty folders', () => {
  const refusing = (name: string, error: Error): [FileOperations, string[]] => {
    const made: string[] = []
    const operate = (async (_operation: string, input: { folder: string; name: string }) => {
      if (input.name === name) throw error
      made.push(`${input.folder}/${input.name}`)
    }) as unknown as FileOperations
    return [operate, made]
  }

  it('of which one is refused are made, all but that one, which is reported', async () => {
    const job = jobOf([], ['top/a', 'top/b:', 'top/c'])
    const [operate, made] = refusing('b:', new ApiError({ code: 5104, message: '' }))
    await makeEmptyFolders(operate, job)
    job.isScanning = false
    expect(made).toEqual(['/in/top', '/in/top/a', '/in/top/c'])
    expect(failuresOf(job).map(({ path }) => path)).toEqual(['top/b:'])
    expect([failedCount(job), jobState(job, false)]).toEqual([1, 'failed'])
  })

  it('are reported where a file stands in their place, and are as good as made where a folder does', async () => {
    const job = jobOf([], ['file', 'folder'])
    const operate = (async (operation: string, input: { paths: readonly string[] }) => {
      if (operation === 'mkdir') throw new ApiError({ code: 5101, message: '' })
      return { items: [{ file_type: input.paths[0] === '/in/file' ? 'File' : 'Folder' }] }
    }) as unknown as FileOperations
    await makeEmptyFolders(operate, job)
    expect(failuresOf(job).map(({ path, error }) => [path, (error as ApiError).code])).toEqual([['file', 5101]])
  })

  it('stop at a fault that is none of a folder', async () => {
    const [operate] = refusing('a', new TypeError('no network'))
    await expect(makeEmptyFolders(operate, jobOf([], ['a', 'b']))).rejects.toThrow('no network')
  })
})
