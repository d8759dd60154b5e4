import fs from 'node:fs'
import { HIDDEN_FOLDER } from '../keys.ts'
import { errnoOf, unless } from './disk-errors.ts'
import type { Disk } from './disk.ts'
import { FILE_MODE, type Folders } from './folders.ts'

const { O_CREAT, O_NOFOLLOW, O_RDONLY, O_TRUNC, O_WRONLY } = fs.constants
const NAME = 'mark'

/** Longest mark that is read. */
export const MARK_BYTES = 4096

interface MarkDeps {
  readonly disk: Disk
  readonly folders: Folders
}

/** @returns undefined without a mark, also when the root itself is there and empty @throws disk errors untranslated */
export async function readMark({ disk, folders }: MarkDeps): Promise<string | undefined> {
  // The root itself is missing, so the mark is unknown rather than absent.
  await folders.inside('', () => Promise.resolve())
  return unless(
    ['ENOENT'],
    folders.inside(HIDDEN_FOLDER, async (folder) => {
      const file = await disk.open(`${folder.at}/${NAME}`, O_RDONLY | O_NOFOLLOW)
      try {
        const text = Buffer.alloc(MARK_BYTES)
        return text.toString('utf8', 0, await disk.read(file, text, 0))
      } finally {
        await disk.close(file)
      }
    }),
  )
}

/** Written beside and then renamed, so that a crash leaves the old mark or the new one. */
export async function writeMark({ disk, folders }: MarkDeps, text: string): Promise<void> {
  await folders.makeAll(HIDDEN_FOLDER)
  await folders.inside(HIDDEN_FOLDER, async (folder) => {
    const draft = `${folder.at}/${NAME}.part`
    try {
      const file = await disk.open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, FILE_MODE)
      try {
        await disk.write(file, [Buffer.from(text)], 0)
        await disk.flush(file)
      } finally {
        await disk.close(file)
      }
      await disk.rename(draft, `${folder.at}/${NAME}`)
    } catch (error) {
      // The disk is full: remove the partial file, which only takes up space.
      if (errnoOf(error) !== undefined) await unless(['ENOENT', 'EROFS', 'EIO'], disk.unlink(draft))
      throw error
    }
    await disk.flushFolder(folder.file)
  })
}
