import fs from 'node:fs'
import { checkEntryKey, HIDDEN_FOLDER } from '../keys.ts'
import { unless } from './disk-errors.ts'
import type { Disk } from './disk.ts'
import { FILE_MODE, type EntryPlace, type Folders, type OpenFolder } from './folders.ts'
import { publish, type PublishDeps } from './publish.ts'
import type { Staging } from './staging.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = fs.constants

const INTENTS = `${HIDDEN_FOLDER}/moves`
/** Two keys of the greatest length, escaped. */
const MAX_INTENT_BYTES = 64 * 1024

export interface MoveDeps extends PublishDeps {
  readonly folders: Folders
  readonly staging: Staging
}

interface Move {
  readonly from: string
  readonly to: string
}

/**
 * Moves a file to a name that must be free. For a moment it has both names (see publish.ts); the intent is recorded and
 * flushed first, so that finishMoves can remove the old name after a crash.
 */
export async function moveToFreeName(deps: MoveDeps, from: EntryPlace, to: EntryPlace, move: Move): Promise<void> {
  const { disk, folders, staging } = deps
  await folders.make(INTENTS)
  await folders.inside(INTENTS, async (intents) => {
    const note = `${intents.at}/${staging.newId()}`
    await writeNote(disk, intents, { path: note, move })
    try {
      await publish(deps, from, to, { conflict: 'fail', flush: true })
      // Before the record is removed: else a power cut could keep the old name and lose the record.
      await disk.flushFolder(from.folder.file)
    } finally {
      await disk.unlink(note)
    }
  })
}

/** Finishes moves that a crash interrupted. Run before the store is used. */
export async function finishMoves(deps: MoveDeps): Promise<void> {
  const { disk, folders } = deps
  await unless(
    ['ENOENT'],
    folders.inside(INTENTS, async (intents) => {
      for (const { name } of await disk.list(intents.at)) {
        const note = `${intents.at}/${name}`
        const move = await readNote(disk, note)
        if (move !== undefined) await unless(['ENOENT', 'ENOTDIR'], finishMove(deps, move))
        await disk.unlink(note)
      }
    }),
  )
}

async function finishMove({ disk, folders }: MoveDeps, { from, to }: Move): Promise<void> {
  await folders.besideBoth(from, to, async (source, target) => {
    const [old, fresh] = [await disk.stat(source.path), await disk.stat(target.path)]
    if (old.inode !== fresh.inode || old.device !== fresh.device) return
    await disk.flushFolder(target.folder.file)
    await disk.unlink(source.path)
    await disk.flushFolder(source.folder.file)
  })
}

async function writeNote(disk: Disk, intents: OpenFolder, note: { path: string; move: Move }): Promise<void> {
  const file = await disk.open(note.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, FILE_MODE)
  try {
    await disk.write(file, [Buffer.from(JSON.stringify(note.move))], 0)
    await disk.flush(file)
  } finally {
    await disk.close(file)
  }
  await disk.flushFolder(intents.file)
}

/** undefined for a record that was incomplete when the power failed: its move had not begun. */
async function readNote(disk: Disk, path: string): Promise<Move | undefined> {
  const file = await disk.open(path, O_RDONLY | O_NOFOLLOW)
  try {
    const text = Buffer.alloc(MAX_INTENT_BYTES)
    return parseMove(text.toString('utf8', 0, await disk.read(file, text, 0)))
  } finally {
    await disk.close(file)
  }
}

function parseMove(text: string): Move | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (typeof parsed !== 'object' || parsed === null || !('from' in parsed) || !('to' in parsed)) return undefined
  const { from, to } = parsed
  if (typeof from !== 'string' || typeof to !== 'string') return undefined
  checkEntryKey(from)
  checkEntryKey(to)
  return { from, to }
}
