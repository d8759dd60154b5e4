import { routes } from '@godwit/contract/table'
import type { AdminTransfer } from '@godwit/contract'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { FormDialog } from '../../../ui/form/index.ts'
import { priorityField, priorityIn, rateField } from '../transfers/index.ts'

export interface LimitDialogProps {
  readonly transfer: AdminTransfer
  readonly onDone: () => void
  readonly onClose: () => void
}

/** How fast one transfer may be, and how it shares the line with others. */
export function LimitDialog({ transfer, onDone, onClose }: LimitDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  return (
    <FormDialog
      title={texts('transfers.limit.title', { name: transfer.name })}
      text={texts('transfers.limit.text')}
      submitLabel={texts('common.save')}
      schema={{
        ceilingMbps: rateField(texts, 'ceilingMbps'),
        priority: priorityField(texts),
      }}
      initial={{ ceilingMbps: String(transfer.ceilingMbps), priority: transfer.priority }}
      onClose={onClose}
      onSend={async ({ ceilingMbps, priority }) => {
        const limits = { ceilingMbps: Number(ceilingMbps), priority: priorityIn(priority) }
        await api.call(routes.adminTransfers.limit, { body: { transferIds: [transfer.transferId], ...limits } })
        onDone()
        onClose()
      }}
    />
  )
}
