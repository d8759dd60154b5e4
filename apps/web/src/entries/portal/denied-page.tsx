import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useTexts } from '../../lib/texts.tsx'
import { StatePanel } from '../../ui/state-panel.tsx'
import { LANDING } from './remembered-place.ts'

/** In place of a page that is switched off, or that this account may not open. */
export function DeniedPage({ isLanding = false }: { readonly isLanding?: boolean }) {
  const texts = useTexts()
  return (
    <div data-testid="denied">
      <StatePanel
        level={1}
        icon={<Lock size={28} />}
        title={texts('pages.denied.title')}
        text={texts('pages.denied.text')}
        actions={isLanding ? undefined : <Link to={LANDING}>{texts('pages.denied.home')}</Link>}
      />
    </div>
  )
}
