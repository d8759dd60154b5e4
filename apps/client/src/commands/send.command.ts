import { lstat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { systemClock } from '@godwit/base'
import type { LocalSendFault } from '@godwit/contract'
import { clientPlaces } from '../profiles/places.ts'
import { Queue } from '../queue/queue.ts'
import { type Context, UsageError } from './context.ts'
import { open } from './open.command.ts'
import { EXIT } from './transfer-output.ts'

/** godwit-client send -- FILE...: the page of the client asks where they go. File managers call it. */
export async function send(context: Context): Promise<number> {
  const { words, environment, output } = context
  if (words.length === 0) throw new UsageError('send needs at least one file')
  using queue = new Queue(clientPlaces(environment).state, () => systemClock.now())
  let left = 0
  for (const word of words) {
    const { path, fault } = await chosenFile(word)
    if (fault !== '') left++
    queue.sending.add(path, fault)
    output.emit('chosen', { path, fault }, fault === '' ? path : `${path}: ${fault}`)
  }
  const shown = await open({ ...context, words: [] })
  return shown === EXIT.done && left > 0 ? EXIT.partial : shown
}

interface Chosen {
  readonly path: string
  readonly fault: LocalSendFault | ''
}

const FILE_ADDRESS = 'file://'
/** Stands where bytes of a word are no UTF-8. */
const BROKEN = '\uFFFD'

/** A path, or a `file://` address as some file managers have it. */
export async function chosenFile(word: string): Promise<Chosen> {
  const isAddress = word.startsWith(FILE_ADDRESS)
  const path = isAddress ? pathIn(word.slice(FILE_ADDRESS.length)) : resolve(word)
  const found = await lstat(path).catch(() => undefined)
  if (found !== undefined) return { path, fault: '' }
  return { path, fault: path.includes(BROKEN) ? 'not-utf8' : 'not-found' }
}

/** "file:///path" or "file://host/path", each byte possibly as %XX. */
function pathIn(rest: string): string {
  const bytes: number[] = []
  const written = Buffer.from(rest.slice(rest.indexOf('/')))
  for (let at = 0; at < written.length; at++) {
    const code = /^%[\da-f]{2}$/i.exec(written.toString('latin1', at, at + 3))
    bytes.push(code === null ? (written[at] ?? 0) : Number.parseInt(code[0].slice(1), 16))
    if (code !== null) at += 2
  }
  // A zero byte ends no path of any system.
  return Buffer.from(bytes).toString('utf8').replaceAll('\0', BROKEN)
}
