import { useEffect, useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { FetchBroken, fetchContent } from './fetch-content.ts'
import { SealBroken } from './open-file.ts'
import { NoRoom, saveContent } from './save-content.ts'
import { savedName, type SealedRow, type SealedSource } from './sealed-rows.ts'

export interface Running {
  readonly name: string
  /** Bytes that are decrypted, and of the whole file. */
  readonly done: number
  readonly size: number
}

type FailureReason = 'broken' | 'line' | 'room'

interface Failed {
  readonly name: string
  readonly reason: FailureReason
}

/** Files are decrypted and saved one after another; one that does not hold leaves nothing and does not stop the others. */
export function useSealedDownload(source: SealedSource) {
  const texts = useTexts()
  const { messages, clock } = useServices()
  const [now, show] = useState<Running>()
  const [failed, setFailed] = useState<readonly Failed[]>([])
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const takeOne = async (row: SealedRow, signal: AbortSignal): Promise<void> => {
    const { file } = row
    if (file === undefined) return
    const name = savedName(row)
    let done = 0
    show({ name, done, size: file.size })
    async function* counted(opened: NonNullable<typeof file>) {
      for await (const bytes of fetchContent(opened, { address: () => source.address(row.stored), signal })) {
        yield bytes
        done += bytes.length
        show({ name, done, size: opened.size })
      }
    }
    try {
      await saveContent({ name, size: file.size, now: clock.now() }, counted(file))
      messages.notify('success', texts('sealed.saved', { name }))
    } catch (error) {
      if (signal.aborted) return
      const reason = reasonOf(error)
      if (reason === undefined) throw error
      setFailed((before) => [...before, { name: row.path, reason }])
    }
  }
  const take = (rows: readonly SealedRow[]): void => {
    const stop = new AbortController()
    stopping.current = stop
    setFailed([])
    const all = async (): Promise<void> => {
      for (const row of rows) if (!stop.signal.aborted) await takeOne(row, stop.signal)
    }
    all()
      .catch((error: unknown) => messages.fail(error, texts))
      .finally(() => show(undefined))
  }
  return { now, failed, take, stop: () => stopping.current?.abort() }
}

function reasonOf(error: unknown): FailureReason | undefined {
  if (error instanceof SealBroken) return 'broken'
  if (error instanceof NoRoom) return 'room'
  return error instanceof FetchBroken ? 'line' : undefined
}
