import type { LocalClientView } from '@godwit/contract'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { SignIn } from './sign-in.tsx'
import styles from './local.module.css'
import type { Act } from './use-local-client.ts'

interface AskedCardProps {
  readonly view: LocalClientView
  /** That a web page has named. */
  readonly server: string
  readonly act: Act
  readonly onRefuse: () => void
}

/** A web page has opened the client for its server, where nobody is signed in: only the person knows whether that is right. */
export function AskedCard({ view, server, act, onRefuse }: AskedCardProps) {
  const texts = useTexts()
  return (
    <div className={styles['asked']}>
      <SectionCard title={texts('local.asked')} lead={texts('local.asked.lead', { server })}>
        <SignIn signIn={view.signIn} server={server} act={act} onRefuse={onRefuse} />
      </SectionCard>
    </div>
  )
}

/** @returns the server that a page asks for, until the person has answered */
export function useAsked(asked: string, { accounts }: Pick<LocalClientView, 'accounts'>) {
  const [isRefused, setRefused] = useState(false)
  const isOpen = asked !== '' && !isRefused && accounts.every(({ server }) => server !== asked)
  return { server: isOpen ? asked : '', refuse: () => setRefused(true) }
}
