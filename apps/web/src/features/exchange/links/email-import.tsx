import { useState } from 'react'
import { readTable } from '../../../lib/read-table.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { addressesOf } from './addresses-of.ts'

export interface EmailImportProps {
  readonly onFound: (addresses: readonly string[]) => void
}

/** Takes recipients out of a workbook or a CSV file, wherever in it they stand. */
export function EmailImport({ onFound }: EmailImportProps) {
  const texts = useTexts()
  const [fault, setFault] = useState<{ readonly name: string; readonly isUnreadable: boolean }>()
  const choose = async (file: File): Promise<void> => {
    const { name } = file
    try {
      const found = addressesOf(await readTable(file))
      setFault(found.length === 0 ? { name, isUnreadable: false } : undefined)
      onFound(found)
    } catch {
      setFault({ name, isUnreadable: true }) // Not a table at all, which the notice says.
    }
  }
  return (
    <div>
      <FileButton accept=".xlsx,.csv,.txt" testId="recipients-file" onChoose={(file) => void choose(file)}>
        {texts('links.emails-import')}
      </FileButton>
      {fault !== undefined && (
        <Notice kind="error">
          {texts(fault.isUnreadable ? 'links.emails-unreadable' : 'links.emails-none', { name: fault.name })}
        </Notice>
      )}
    </div>
  )
}
