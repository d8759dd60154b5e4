import { useCallback, useRef, useState } from 'react'
import type { Messages } from '../../../lib/messages.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { scanEntries, type Sources, sourcesOfFiles } from './sources.ts'

/** Ways to bring files, whoever brings them. */
export interface Intake {
  /** Files found so far in a drop that is being read. */
  readonly scanned: number | undefined
  takeDrop(folder: string, entries: readonly FileSystemEntry[]): void
  takeFiles(folder: string, files: readonly File[]): void
  /** Files from the clipboard. */
  pasteFiles(folder: string, files: readonly File[]): void
  pickFiles(folder: string): void
  pickFolder(folder: string): void
  /** Opens the camera of a phone. */
  takePhoto(folder: string): void
}

export type TakeSources = (folder: string, sources: Sources) => Promise<void> | void

/** A drop, chosen files, a chosen folder. @param take stays the same between renders */
export function useIntake(messages: Messages, take: TakeSources): Intake {
  const texts = useTexts()
  const { clock } = useServices()
  const [scanned, setScanned] = useState<number>()
  const scans = useRef(0)
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
  const takeList = useCallback(
    (folder: string, files: Iterable<File>) => {
      const taken = async (): Promise<void> => take(folder, sourcesOfFiles(files))
      void taken().catch(showFailure)
    },
    [take, showFailure],
  )
  const pick = useCallback(
    (folder: string, wholeFolder: boolean) => {
      const input = fileInput(wholeFolder)
      input.onchange = () => takeList(folder, input.files ?? [])
      input.click()
    },
    [takeList],
  )
  return {
    scanned,
    takeDrop,
    takeFiles: takeList,
    pasteFiles: useCallback(
      (folder: string, files: readonly File[]) => {
        const named = namerByTime((time) => texts('paste.name', { time }))
        // What every browser calls a picture that is no file.
        takeList(
          folder,
          files.map((file) => (/^image\.\w+$/.test(file.name) ? named(file) : file)),
        )
      },
      [takeList, texts],
    ),
    pickFiles: useCallback((folder: string) => pick(folder, false), [pick]),
    pickFolder: useCallback((folder: string) => pick(folder, true), [pick]),
    takePhoto: useCallback(
      (folder: string) => {
        const input = fileInput(false)
        input.accept = 'image/*'
        input.setAttribute('capture', 'environment')
        input.onchange = () =>
          takeList(folder, [...(input.files ?? [])].map(namerByTime((time) => texts('photo.name', { time }))))
        input.click()
      },
      [takeList, texts],
    ),
  }
}

/** Cameras call every photo `image.jpg`, or by a number, and pasted pictures are all called `image.png`: the time says more, and two never clash. */
function namerByTime(nameAt: (time: string) => string): (picture: File) => File {
  return (picture) => {
    const { name, type, lastModified } = picture
    // 2026-11-24 09.15.07, in local time.
    const time = new Date(lastModified).toLocaleString('sv').replaceAll(':', '.')
    return new File([picture], `${nameAt(time)}${name.slice(name.lastIndexOf('.'))}`, {
      type,
      lastModified,
    })
  }
}

function fileInput(wholeFolder: boolean): HTMLInputElement {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.webkitdirectory = wholeFolder
  return input
}

/** Lets the person choose files, or one folder; never resolves when nothing is chosen. */
export function pickSources(wholeFolder: boolean): Promise<Sources> {
  const input = fileInput(wholeFolder)
  return new Promise((resolve) => {
    input.onchange = () => resolve(sourcesOfFiles(input.files ?? []))
    input.click()
  })
}
