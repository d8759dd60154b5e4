import { routes } from '@godwit/contract/table'
import { routeAddress } from '@godwit/contract/client'
import { useSearch } from '@tanstack/react-router'
import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { saveFile } from '../../console-kit/csv.ts'
import { operationFilter } from './log-source.ts'

/** Saves what the filters leave as JSON lines, which hold the hash chain and can be verified elsewhere. */
export function ExportLog() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [isBusy, setBusy] = useState(false)
  const filters: Readonly<Record<string, string>> = useSearch({ strict: false })
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      const query = { format: 'jsonl', ...operationFilter(filters) }
      const answer = await fetch(routeAddress(routes.adminLog.exportOperations, { query }), { headers: api.headers() })
      if (!answer.ok) throw new Error('the log was not exported')
      saveFile('operations.jsonl', await answer.blob())
    } catch (error) {
      messages.fail(error, texts)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button disabled={isBusy} onClick={() => void save()}>
      <FileDown size={18} aria-hidden="true" />
      {texts('log.export')}
    </Button>
  )
}
