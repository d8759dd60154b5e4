import { KeySquare } from 'lucide-react'
import { useTexts } from '../../../lib/texts.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import type { KeyFault } from './use-sealed-key.ts'

/** Why an encrypted link does not open here, and what may be done about it. */
export function KeyFaultPanel({ fault }: { readonly fault: KeyFault }) {
  const texts = useTexts()
  return (
    <StatePanel
      icon={<KeySquare size={28} />}
      title={texts(`sealed.fault.${fault}.title`)}
      text={texts(`sealed.fault.${fault}.text`)}
    />
  )
}
