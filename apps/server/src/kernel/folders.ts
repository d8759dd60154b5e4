import fs from 'node:fs'
import path from 'node:path'

const MODE = 0o750

/**
 * Makes a folder and all above it that are missing. Node's own recursive way never ends where the system knows a folder
 * and denies every name in it, as /proc does.
 * @throws the system's error
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const above = path.dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    fs.mkdirSync(folder, { mode: MODE })
  } catch (thrown) {
    // A process beside this one may have been faster.
    if (!isFolder(folder)) throw thrown
  }
}

function isFolder(place: string): boolean {
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Puts a file for the owner's eyes in place of the one of before, so that a crash leaves one of the two. */
export function replaceFile(file: string, text: string): void {
  const part = `${file}.part`
  fs.writeFileSync(part, text, { mode: 0o600, flush: true })
  fs.renameSync(part, file)
  flush(path.dirname(file))
}

/** Moves a file of this folder into the place of another one, so that a crash leaves one of the two, whole. */
export function replaceWith(part: string, file: string): void {
  flush(part)
  fs.renameSync(part, file)
  flush(path.dirname(file))
}

function flush(place: string): void {
  const handle = fs.openSync(place, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
