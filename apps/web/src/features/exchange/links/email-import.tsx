import { useState } from 'react'
import { readTable } from '../../../lib/read-table.ts'
import { useTexts, type Texts } from '../../../lib/texts.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { addressesOf } from './addresses-of.ts'

export interface EmailImportProps {
  readonly onFound: (addresses: readonly string[]) => void
}

/** Takes recipients out of a workbook or a CSV file, wherever in it they stand. */
export function EmailImport({ onFound }: EmailImportProps) {
  const texts = useTexts()
  const [fault, setFault] = useState<{ readonly name: string; readonly thrown?: unknown }>()
  const choose = async (file: File): Promise<void> => {
    const { name } = file
    try {
      const found = addressesOf(await readTable(file))
      setFault(found.length === 0 ? { name } : undefined)
      onFound(found)
    } catch (thrown) {
      setFault({ name, thrown }) // Not a table at all, or one to be saved in another way first: the notice says which.
    }
  }
  return (
    <div>
      <FileButton accept=".xlsx,.xls,.csv,.txt" testId="recipients-file" onChoose={(file) => void choose(file)}>
        {texts('links.emails-import')}
      </FileButton>
      {fault !== undefined && <Notice kind="error">{faultText(texts, fault)}</Notice>}
    </div>
  )
}

function faultText(texts: Texts, { name, thrown }: { readonly name: string; readonly thrown?: unknown }): string {
  return thrown === undefined ? texts('links.emails-none', { name }) : texts.failure(thrown)
}
