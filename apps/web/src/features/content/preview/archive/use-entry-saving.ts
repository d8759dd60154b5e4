import { ApiError } from '@godwit/contract/wire/api-error'
import { useState } from 'react'
import { formatSize } from '../../../../lib/formats.ts'
import { saveFile } from '../../../../lib/save-file.ts'
import { useTexts } from '../../../../lib/texts.tsx'
import type { ArchiveEntry } from './archive-entries.ts'

/** A browser keeps what is unpacked until it is saved. */
const MAX_BYTES = 2 * 1024 ** 3

export interface EntrySaving {
  /** What happens to the entry that was picked last, or why it failed. */
  readonly note: string | undefined
  readonly save: (entry: ArchiveEntry, name: string) => void
}

/** Unpacks one entry and gives it to the browser as a download. */
export function useEntrySaving(): EntrySaving {
  const texts = useTexts()
  const [note, setNote] = useState<string>()
  const save = async (entry: ArchiveEntry, name: string): Promise<void> => {
    if (entry.isEncrypted) return setNote(texts('preview.archive.encrypted', { name }))
    if (entry.size > MAX_BYTES) {
      return setNote(texts('preview.archive.too-large', { name, size: formatSize(MAX_BYTES, texts.locale, 0) }))
    }
    setNote(texts('preview.archive.unpacking', { name }))
    try {
      saveFile(name, await entry.open())
      setNote(undefined)
    } catch (error) {
      setNote(error instanceof ApiError ? texts.failure(error) : texts('preview.archive.damaged', { name }))
    }
  }
  return { note, save: (entry, name) => void save(entry, name) }
}
