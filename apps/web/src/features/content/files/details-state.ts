import { useState } from 'react'
import { readStored, writeStored } from '../../../lib/storage.ts'

const KEY = 'godwit.details'
const OPEN = 'open'

/** Whether the panel of details is shown: beside the list as it was left, over it only when it was asked for. */
export function useDetailsState(isWide: boolean) {
  const [isOpen, setOpen] = useState(isWide && readStored(KEY) === OPEN)
  const show = (next: boolean): void => {
    setOpen(next)
    if (isWide) writeStored(KEY, next ? OPEN : undefined)
  }
  return { isOpen, open: () => show(true), close: () => show(false), toggle: () => show(!isOpen) }
}
