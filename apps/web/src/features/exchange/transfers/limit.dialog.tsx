import type { TransferView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { FormDialog } from '../../../ui/form/index.ts'
import { priorityField, priorityIn } from './priority-field.ts'
import { rateField } from './rate-field.ts'

export interface LimitDialogProps {
  readonly transfer: TransferView
  readonly onClose: () => void
}

/** How fast one transfer of the account may be, and how it shares the line with others. The row follows by what the server pushes. */
export function LimitDialog({ transfer: { transferId, name, rateMbps, priority }, onClose }: LimitDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  return (
    <FormDialog<'rate' | 'priority'>
      title={texts('transfers.limit.title', { name })}
      text={texts('transfers.limit.text')}
      submitLabel={texts('common.save')}
      schema={{ rate: rateField(texts, 'rateMbps'), priority: priorityField(texts) }}
      initial={{ rate: String(rateMbps), priority }}
      onClose={onClose}
      onSend={async (values) => {
        const body = { rateMbps: Number(values.rate), priority: priorityIn(values.priority) }
        await api.call(routes.transfers.limit, { params: { transferId }, body })
        onClose()
      }}
    />
  )
}
