import { realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { readPreferences, type Watch, writePreferences } from '../profiles/preferences.ts'
import type { Queue, QueueItem } from '../queue/queue.ts'

/** @returns the folder without links; undefined when there is none at this path */
export async function realFolder(path: string): Promise<string | undefined> {
  const found = await stat(resolve(path)).catch(() => undefined)
  return found?.isDirectory() === true ? realpath(resolve(path)) : undefined
}

/** Watches a folder, in place of what it was watched for before. */
export async function addWatch(environment: NodeJS.ProcessEnv, added: Watch): Promise<void> {
  const { watches } = await readPreferences(environment)
  await writePreferences(environment, { watches: [...watches.filter(({ root }) => root !== added.root), added] })
}

/** Whether what the queue holds comes from a folder that a page keeps in sync: its site may have switched that off since. */
export function isSynced(
  watches: readonly Watch[],
  { server, account, paths }: Pick<QueueItem, 'server' | 'account' | 'paths'>,
): boolean {
  const [path = ''] = paths
  return watches.some(
    (watch) =>
      watch.sync !== undefined && watch.server === server && watch.account === account && watch.root === dirname(path),
  )
}

/** @returns whether the folder was watched */
export async function removeWatch(
  environment: NodeJS.ProcessEnv,
  queue: Pick<Queue, 'forgetWatched'>,
  root: string,
): Promise<boolean> {
  const { watches } = await readPreferences(environment)
  const left = watches.filter((other) => other.root !== root)
  if (left.length === watches.length) return false
  await writePreferences(environment, { watches: left })
  queue.forgetWatched(root)
  return true
}
