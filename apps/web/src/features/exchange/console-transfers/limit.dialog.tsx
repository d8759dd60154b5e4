import { routes } from '@godwit/contract/table'
import type { AdminTransfer } from '@godwit/contract'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { FormDialog } from '../../../ui/form/index.ts'
import {
  deadlineChange,
  deadlineField,
  deadlineValue,
  priorityField,
  priorityIn,
  rateField,
} from '../transfers/index.ts'

export interface LimitDialogProps {
  readonly transfer: AdminTransfer
  readonly onDone: () => void
  readonly onClose: () => void
}

/** How fast one transfer may be, how it shares the line with others, and when it is to arrive. */
export function LimitDialog({ transfer, onDone, onClose }: LimitDialogProps) {
  const texts = useTexts()
  const { api, clock } = useServices()
  const { transferId, deadline } = transfer
  return (
    <FormDialog<'ceilingMbps' | 'priority' | 'deadline'>
      title={texts('transfers.limit.title', { name: transfer.name })}
      text={texts('transfers.limit.text')}
      submitLabel={texts('common.save')}
      schema={{
        ceilingMbps: rateField(texts, 'ceilingMbps'),
        priority: priorityField(texts),
        deadline: deadlineField(texts, { deadline, now: clock.now }),
      }}
      initial={{
        ceilingMbps: String(transfer.ceilingMbps),
        priority: transfer.priority,
        deadline: deadlineValue(deadline),
      }}
      onClose={onClose}
      onSend={async (values) => {
        const sharing = { priority: priorityIn(values.priority), ...deadlineChange(values.deadline, deadline) }
        const body = { transferIds: [transferId], ceilingMbps: Number(values.ceilingMbps), ...sharing }
        await api.call(routes.adminTransfers.limit, { body })
        onDone()
      }}
    />
  )
}
