import type { LocalClientView } from '@godwit/contract'
import { useTexts } from '../../../lib/texts.tsx'
import { SelectField } from '../../../ui/select-field.tsx'

export interface AccountFieldProps {
  readonly accounts: LocalClientView['accounts']
  /** Its place among the accounts. */
  readonly chosen: number
  readonly onChoose: (at: number) => void
}

/** One of several accounts that are signed in; nothing is asked where there is only one. */
export function AccountField({ accounts, chosen, onChoose }: AccountFieldProps) {
  const texts = useTexts()
  if (accounts.length < 2) return null
  return (
    <SelectField
      label={texts('local.watches.account')}
      choices={accounts.map(({ server, account }, at) => ({ value: String(at), label: `${account} · ${server}` }))}
      value={String(chosen)}
      onChange={(event) => onChoose(Number(event.target.value))}
    />
  )
}
