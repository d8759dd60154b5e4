import type { TransferView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { FormDialog } from '../../../ui/form/index.ts'
import { deadlineChange, deadlineField, deadlineValue } from './deadline-field.ts'
import { priorityField, priorityIn } from './priority-field.ts'
import { rateField } from './rate-field.ts'

export interface LimitDialogProps {
  readonly transfer: TransferView
  readonly onClose: () => void
}

/** How fast one transfer of the account may be, how it shares the line with others, and when it is to arrive. The row follows by what the server pushes. */
export function LimitDialog({ transfer, onClose }: LimitDialogProps) {
  const texts = useTexts()
  const { api, clock } = useServices()
  const { transferId, name, rateMbps, priority, deadline } = transfer
  return (
    <FormDialog<'rate' | 'priority' | 'deadline'>
      title={texts('transfers.limit.title', { name })}
      text={texts('transfers.limit.text')}
      submitLabel={texts('common.save')}
      schema={{
        rate: rateField(texts, 'rateMbps'),
        priority: priorityField(texts),
        deadline: deadlineField(texts, { deadline, now: clock.now }),
      }}
      initial={{ rate: String(rateMbps), priority, deadline: deadlineValue(deadline) }}
      onClose={onClose}
      onSend={async (values) => {
        const sharing = { priority: priorityIn(values.priority), ...deadlineChange(values.deadline, deadline) }
        const body = { rateMbps: Number(values.rate), ...sharing }
        await api.call(routes.transfers.limit, { params: { transferId }, body })
      }}
    />
  )
}
