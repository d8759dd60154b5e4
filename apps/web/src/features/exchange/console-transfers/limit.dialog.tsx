import { routes } from '@godwit/contract/table'
import type { AdminTransfer, TransferPriority } from '@godwit/contract'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { FormDialog } from '../../../ui/form/index.ts'
import { rateField } from '../transfers/index.ts'

const PRIORITIES = ['low', 'normal', 'high'] as const satisfies readonly TransferPriority[]

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
        priority: {
          kind: 'select',
          label: texts('console-transfers.priority'),
          hint: texts('console-transfers.priority.hint'),
          choices: PRIORITIES.map((value) => ({ value, label: texts(`console-transfers.priority.${value}`) })),
        },
      }}
      initial={{ ceilingMbps: String(transfer.ceilingMbps), priority: transfer.priority }}
      onClose={onClose}
      onSend={async ({ ceilingMbps, priority }) => {
        const wanted = PRIORITIES.find((each) => each === priority) ?? 'normal'
        const transferIds = [transfer.transferId]
        await api.call(routes.adminTransfers.limit, {
          body: { transferIds, ceilingMbps: Number(ceilingMbps), priority: wanted },
        })
        onDone()
        onClose()
      }}
    />
  )
}
