import { mayLeave, takesArrival } from '@godwit/contract/content/file-actions'
import { useEffect, useRef } from 'react'
import { isTyping } from '../../../lib/shortcuts.ts'
import { useStore } from '../../../lib/store.ts'
import { useAccount } from '../../identity/auth/index.ts'
import { type Clip, clipboard } from './clipboard.ts'
import { useFilesServices } from './files-services.tsx'
import { useLibrary } from './library.ts'
import { isSamePlace } from './spot.ts'

/** The cut or copied entries that may be pasted into the place that is shown. */
export function usePastable(): Clip | undefined {
  const clip = useStore(clipboard)
  const { place } = useFilesServices()
  const { user } = useAccount()
  const { permission } = useLibrary()
  if (clip?.userId !== user.id || clip.from.place.spaceId !== place.spaceId) return undefined
  const isAcross = !isSamePlace(clip.from.place, place)
  if (isAcross && !mayLeave(clip.permission, clip)) return undefined
  return takesArrival(permission, { ...clip, isAcross }) ? clip : undefined
}

export interface ClipboardKeys {
  /** Undefined when nothing that is selected can be taken. @returns the names, for the clipboard of the computer */
  readonly cut: (() => readonly string[]) | undefined
  readonly copy: (() => readonly string[]) | undefined
  readonly paste: (() => void) | undefined
  readonly pasteFiles: (files: readonly File[]) => void
}

/**
 * Ctrl+X, Ctrl+C and Ctrl+V through the events of the browser: only these bring files of the computer, such as screenshots.
 * Names go to the computer's clipboard as text, so that what was taken last is what a paste brings.
 */
export function useClipboardKeys(keys: ClipboardKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const take = (kind: 'cut' | 'copy') => (event: ClipboardEvent) => {
      const run = latest.current[kind]
      if (run === undefined || belongsElsewhere(event)) return
      event.preventDefault()
      event.clipboardData?.setData('text/plain', run().join('\n'))
    }
    const onPaste = (event: ClipboardEvent): void => {
      if (belongsElsewhere(event)) return
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0) latest.current.pasteFiles(files)
      else latest.current.paste?.()
      event.preventDefault()
    }
    const listeners = { cut: take('cut'), copy: take('copy'), paste: onPaste }
    for (const [name, listener] of LISTENED) document.addEventListener(name, listeners[listener])
    return () => {
      for (const [name, listener] of LISTENED) document.removeEventListener(name, listeners[listener])
    }
  }, [])
}

const LISTENED = [
  ['cut', 'cut'],
  ['copy', 'copy'],
  ['paste', 'paste'],
] as const

/** A field, marked text, a dialog and a menu have the clipboard for themselves. */
function belongsElsewhere(event: ClipboardEvent): boolean {
  if (event.defaultPrevented || isTyping(event.target)) return true
  if (event.type !== 'paste' && getSelection()?.isCollapsed === false) return true
  return document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null
}
