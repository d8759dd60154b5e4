import { useCallback, useRef, useState } from 'react'
import type { Place } from '../../../lib/file-socket.ts'
import type { Messages } from '../../../lib/messages.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { scanEntries, type Sources, sourcesOfFiles } from './sources.ts'
import { useUploads } from './uploads.tsx'

export interface Intake {
  /** Files found so far in a drop that is being read. */
  readonly scanned: number | undefined
  takeDrop(folder: string, entries: readonly FileSystemEntry[]): void
  pickFiles(folder: string): void
  pickFolder(folder: string): void
}

/** Ways into the queue: a drop, chosen files, a chosen folder. */
export function useUploadIntake(place: Place, messages: Messages): Intake {
  const engine = useUploads()
  const texts = useTexts()
  const { clock } = useServices()
  const [scanned, setScanned] = useState<number>()
  const scans = useRef(0)
  const take = useCallback(
    (folder: string, sources: Sources) => {
      const { files, emptyFolders, unreadable } = sources
      if (unreadable > 0) messages.tell('error', texts('drop.unreadable', { count: unreadable }))
      if (files.length + emptyFolders.length > 0) engine.add(place, folder, sources)
      else if (unreadable === 0) messages.tell('info', texts('drop.nothing'))
    },
    [engine, place, messages, texts],
  )
  const takeDrop = useCallback(
    (folder: string, entries: readonly FileSystemEntry[]) => {
      scans.current += 1
      const scan = { signal: new AbortController().signal, now: () => clock.monotonic(), onProgress: setScanned }
      void scanEntries(entries, scan)
        .then((sources) => take(folder, sources))
        .finally(() => {
          scans.current -= 1
          if (scans.current === 0) setScanned(undefined)
        })
    },
    [clock, take],
  )
  const pick = useCallback(
    (folder: string, wholeFolder: boolean) => {
      const input = document.createElement('input')
      input.type = 'file'
      input.multiple = true
      input.webkitdirectory = wholeFolder
      input.onchange = () => take(folder, sourcesOfFiles(input.files ?? []))
      input.click()
    },
    [take],
  )
  return {
    scanned,
    takeDrop,
    pickFiles: useCallback((folder: string) => pick(folder, false), [pick]),
    pickFolder: useCallback((folder: string) => pick(folder, true), [pick]),
  }
}
