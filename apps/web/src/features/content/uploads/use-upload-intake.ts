import { useCallback, useRef, useState } from 'react'
import type { Place } from '../../../lib/file-socket.ts'
import type { Messages } from '../../../lib/messages.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useAccount } from '../../identity/auth/index.ts'
import { scanEntries, type SourceFile, type Sources, sourcesOfFiles } from './sources.ts'
import { createIgnore, rulesFor, splitBySize } from './transfer-rules.ts'
import { useUploads } from './uploads.tsx'

export interface Intake {
  /** Files found so far in a drop that is being read. */
  readonly scanned: number | undefined
  /** Files of the last drop or choice that the browser may not send, and why. */
  readonly refused: Refused | undefined
  forgetRefused(): void
  takeDrop(folder: string, entries: readonly FileSystemEntry[]): void
  pickFiles(folder: string): void
  pickFolder(folder: string): void
}

export interface Refused {
  readonly files: readonly SourceFile[]
  readonly limitBytes: number
}

const KIBIBYTE = 1024

/** Ways into the queue: a drop, chosen files, a chosen folder. */
export function useUploadIntake(place: Place, messages: Messages): Intake {
  const engine = useUploads()
  const texts = useTexts()
  const { clock } = useServices()
  const [scanned, setScanned] = useState<number>()
  const scans = useRef(0)
  const [refused, setRefused] = useState<Refused>()
  const { user, service } = useAccount()
  const limitBytes = service.TCPFileSizeLimit * KIBIBYTE
  const take = useCallback(
    async (folder: string, sources: Sources) => {
      const ignores = await createIgnore(rulesFor(user, place.groupId))
      const ruled = sources.files.map((file) => (ignores(file) ? { ...file, isIgnored: true } : file))
      const { fitting, tooLarge } = splitBySize(ruled, limitBytes)
      if (tooLarge.length > 0) setRefused({ files: tooLarge, limitBytes })
      const count = fitting.length + sources.emptyFolders.length + sources.unreadable.length
      if (count > 0) engine.add(place, folder, { ...sources, files: fitting })
      else if (tooLarge.length === 0) messages.notify('info', texts('drop.nothing'))
    },
    [engine, place, messages, texts, user, limitBytes],
  )
  const showFailure = useCallback((error: unknown) => messages.fail(error, texts), [messages, texts])
  const takeDrop = useCallback(
    (folder: string, entries: readonly FileSystemEntry[]) => {
      scans.current += 1
      const scan = { signal: new AbortController().signal, now: () => clock.monotonic(), onProgress: setScanned }
      void scanEntries(entries, scan)
        .then((sources) => take(folder, sources))
        .catch(showFailure)
        .finally(() => {
          scans.current -= 1
          if (scans.current === 0) setScanned(undefined)
        })
    },
    [clock, take, showFailure],
  )
  const pick = useCallback(
    (folder: string, wholeFolder: boolean) => {
      const input = document.createElement('input')
      input.type = 'file'
      input.multiple = true
      input.webkitdirectory = wholeFolder
      input.onchange = () => void take(folder, sourcesOfFiles(input.files ?? [])).catch(showFailure)
      input.click()
    },
    [take, showFailure],
  )
  return {
    scanned,
    refused,
    forgetRefused: useCallback(() => setRefused(undefined), []),
    takeDrop,
    pickFiles: useCallback((folder: string) => pick(folder, false), [pick]),
    pickFolder: useCallback((folder: string) => pick(folder, true), [pick]),
  }
}
