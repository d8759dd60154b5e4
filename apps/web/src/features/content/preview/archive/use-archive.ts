import { useEffect, useState } from 'react'
import type { PreviewFile } from '../view-props.ts'
import type { ArchiveEntry } from './archive-entries.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'

/** More entries of one archive are not listed. */
const MAX_ENTRIES = 200_000
/** The list is drawn again after so many entries, or at the end. */
const STEP = 1_000

export interface Archive {
  /** Grows in place; `count` says how far. */
  readonly entries: readonly ArchiveEntry[]
  readonly count: number
  readonly state: 'reading' | 'count' | 'cut'
}

/** Reads the directory of an archive for as long as the view is open. */
export function useArchive({ url, size, type }: PreviewFile, onBroken: (error: unknown) => void): Archive {
  const [archive, setArchive] = useState<Archive>({ entries: [], count: 0, state: 'reading' })
  const [fault, setFault] = useState<{ readonly error: unknown }>()
  useEffect(() => {
    const life = new AbortController()
    const source = { url, size, signal: life.signal }
    readEntries(type === 'application/x-tar' ? readTar(source) : readZip(source), setArchive).catch(
      (error: unknown) => !life.signal.aborted && setFault({ error }),
    )
    return () => life.abort()
  }, [url, size, type])
  useEffect(() => {
    if (fault !== undefined) onBroken(fault.error)
  }, [fault, onBroken])
  return archive
}

async function readEntries(reading: AsyncIterable<ArchiveEntry>, show: (archive: Archive) => void): Promise<void> {
  const entries: ArchiveEntry[] = []
  for await (const entry of reading) {
    if (entries.length === MAX_ENTRIES) return show({ entries, count: entries.length, state: 'cut' })
    entries.push(entry)
    if (entries.length % STEP === 0) show({ entries, count: entries.length, state: 'reading' })
  }
  show({ entries, count: entries.length, state: 'count' })
}
