import type { TransferView } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { FormDialog } from '../../../ui/form/index.ts'
import { rateField } from './rate-field.ts'

export interface LimitDialogProps {
  readonly transfer: TransferView
  readonly onClose: () => void
}

/** How fast one transfer of the account may be. The row follows by what the server pushes. */
export function LimitDialog({ transfer: { transferId, name, rateMbps }, onClose }: LimitDialogProps) {
  const texts = useTexts()
  const { api } = useServices()
  return (
    <FormDialog<'rate'>
      title={texts('transfers.limit.title', { name })}
      text={texts('transfers.limit.text')}
      submitLabel={texts('common.save')}
      schema={{ rate: rateField(texts, 'rateMbps') }}
      initial={{ rate: String(rateMbps) }}
      onClose={onClose}
      onSend={async ({ rate }) => {
        await api.call(routes.transfers.limit, { params: { transferId }, body: { rateMbps: Number(rate) } })
        onClose()
      }}
    />
  )
}
