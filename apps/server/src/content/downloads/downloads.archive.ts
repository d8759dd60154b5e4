import type { ServerResponse } from 'node:http'
import { omissionsFile, type OmittedEntries } from '@godwit/i18n/archive-texts'
import type { Locale } from '@godwit/i18n'
import type { ObjectReader } from '@godwit/storage'
import { folderOf, readable } from './archive-plan.ts'
import { freeName, walkSelection, type NamedEntry } from './downloads.selection.ts'
import { write, type Sender } from './downloads.send.ts'
import { ZipWriter } from './downloads.zip.ts'
import type { StillShown } from './still-shown.ts'

interface Exchange {
  readonly res: ServerResponse
  readonly signal: AbortSignal
  readonly locale: Locale
  readonly isStillShown?: StillShown
}

/**
 * Sends a selection as a zip of what is there when its turn comes, so that nobody knows its length before. What cannot be packed is counted in a text at its end. A failure on the way is thrown on: the
 * directory is then never written and the connection cut, so nobody takes the archive for whole.
 */
export async function sendArchive(sender: Sender, found: readonly NamedEntry[], exchange: Exchange): Promise<void> {
  const { res, signal, locale, isStillShown = () => true } = exchange
  const zip = new ZipWriter()
  const leftOut = new Map<string, number>()
  const onLeftOut = (folder: string, count: number): void =>
    void leftOut.set(folder, (leftOut.get(folder) ?? 0) + count)
  const topNames = new Set<string>()
  for await (const item of walkSelection(found, { signal, onLeftOut })) {
    signal.throwIfAborted()
    // As what was forbidden from the beginning: it does not exist.
    if (!isStillShown(item.location, item.isFolder)) continue
    topNames.add(item.name.replace(/\/.*/s, ''))
    if (item.isFolder) {
      await write(res, zip.begin({ name: item.name, modifiedMs: item.modifiedMs, size: 0 }))
      await write(res, zip.end())
      continue
    }
    const reader = await readable(item)
    if (reader === undefined) onLeftOut(folderOf(item.name), 1)
    else await sendEntry({ sender, zip, reader }, item.name, exchange)
  }
  if (leftOut.size > 0) {
    const folders = [...leftOut].map(([folder, count]): OmittedEntries => ({ folder, count }))
    for (const piece of textEntry(zip, omissionsFile(locale, folders), topNames)) await write(res, piece)
  }
  for (const piece of zip.finish()) await write(res, piece)
}

interface Sending {
  readonly sender: Sender
  readonly zip: ZipWriter
  readonly reader: ObjectReader
}

async function sendEntry({ sender, zip, reader }: Sending, name: string, { res, signal }: Exchange): Promise<void> {
  await using open = reader
  const { size, modifiedMs } = open.entry
  await write(res, zip.begin({ name, modifiedMs, size }))
  const tap = (chunk: Uint8Array): void => zip.content(chunk)
  await sender.send(res, { reader: open, span: { start: 0, end: size }, signal, tap })
  await write(res, zip.end())
}

function* textEntry(
  zip: ZipWriter,
  { name, content }: { readonly name: string; readonly content: string },
  taken: ReadonlySet<string>,
): Generator<Buffer> {
  const bytes = Buffer.from(content)
  yield zip.begin({ name: freeName(name, taken), modifiedMs: 0, size: bytes.length })
  zip.content(bytes)
  yield bytes
  yield zip.end()
}
