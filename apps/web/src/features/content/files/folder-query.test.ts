import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { changeFolder, folderKey, refreshFolder } from './folder-query.ts'

const place = { spaceId: 1, groupId: 0 }
const folder = '/plans'
const view = { folder, orderBy: 'name', order: 'asc' } as const

it('reads a folder again once the last change that it shows already is answered, and not before', async () => {
  const client = new QueryClient()
  let reads = 0
  const observer = new QueryObserver(client, { queryKey: folderKey(place, view), queryFn: () => ++reads })
  const stop = observer.subscribe(() => undefined)
  await expect.poll(() => reads).toBe(1)

  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const changes = [first, second].map(({ promise }) => changeFolder(client, { place, folder }, () => promise))
  await refreshFolder(client, place, folder)
  first.resolve('renamed')
  expect([await changes[0], reads]).toEqual(['renamed', 1])
  second.reject(new Error('refused'))
  await expect(changes[1]).rejects.toThrow('refused')
  expect(reads).toBe(2)

  await refreshFolder(client, place, folder)
  expect(reads).toBe(3)
  stop()
})

it('reads a folder once more after a first read that is older than a change, and lets that read end', async () => {
  const client = new QueryClient()
  const reads: Array<(names: string) => void> = []
  const queryFn = () => new Promise<string>((resolve) => reads.push(resolve))
  const observer = new QueryObserver(client, { queryKey: folderKey(place, view), queryFn })
  const stop = observer.subscribe(() => undefined)
  const [first, second] = [refreshFolder(client, place, folder), refreshFolder(client, place, folder)]
  expect(reads).toHaveLength(1)
  reads[0]?.('before')
  await expect.poll(() => reads.length).toBe(2)
  expect(observer.getCurrentResult().data).toBe('before')
  reads[1]?.('after')
  await Promise.all([first, second])
  expect([observer.getCurrentResult().data, reads.length]).toEqual(['after', 2])
  stop()
})
