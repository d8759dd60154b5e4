import { RotateCcw } from 'lucide-react'
import { type PortalKey, useTexts } from '../../../lib/texts.tsx'
import type { BulkAction } from '../../console-kit/bulk.ts'
import { PER_CALL } from './operations-source.ts'

interface AgainOptions {
  readonly name: string
  /** Keys of the texts begin with it. */
  readonly texts: 'failed-jobs' | 'parked-events'
  /** @returns how many are tried again */
  readonly send: (ids: readonly string[]) => Promise<number>
}

/** Has what failed tried again. */
export function useAgain({ name, texts: prefix, send }: AgainOptions): BulkAction {
  const texts = useTexts()
  const key = (end: 'again' | 'again.title' | 'again.text' | 'again.done'): PortalKey => `${prefix}.${end}`
  return {
    name,
    label: key('again'),
    icon: RotateCcw,
    title: (count) => texts(key('again.title'), { count }),
    text: () => texts(key('again.text')),
    verb: texts(key('again')),
    done: (count) => texts(key('again.done'), { count }),
    async run(chosen) {
      const ids = 'ids' in chosen ? [...chosen.ids] : []
      let changed = 0
      for (let at = 0; at < ids.length; at += PER_CALL) changed += await send(ids.slice(at, at + PER_CALL))
      return { changed, failed: [] }
    },
  }
}
