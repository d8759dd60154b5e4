import type { LocalClientView } from '@godwit/contract'
import { CircleOff } from 'lucide-react'
import { useServices } from '../../../lib/services.tsx'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { Toasts } from '../../../ui/toasts.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import { AccountsCard } from './accounts-card.tsx'
import { AskedCard, useAsked } from './asked-card.tsx'
import { PageHead } from './page-head.tsx'
import { HistoryCard, QueueCard } from './queue-card.tsx'
import { SendingCard } from './sending-card.tsx'
import { SettingsCard } from './settings-card.tsx'
import { SpeedCard } from './speed-card.tsx'
import styles from './local.module.css'
import type { LocalLink } from './local-link.ts'
import { type Act, useLocalClient } from './use-local-client.ts'
import { WatchesCard } from './watches-card.tsx'

/** The page of the desktop client, on its own computer. */
export function LocalPage({ link }: { readonly link: LocalLink }) {
  const { messages } = useServices()
  const texts = useTexts()
  const hasTexts = [useTextBundle('local'), useTextBundle('transfers')].every(Boolean)
  const { view, isClosed, isGone, act } = useLocalClient(link)
  if (!hasTexts) return <Waiting isOffline={false} />
  if (isClosed) return <ClosedPage />
  if (view === undefined) return <Waiting isOffline={isGone} />
  return (
    <>
      <PageHead view={view} act={act} />
      <main className={styles['page']}>
        {isGone && <Notice kind="warning">{texts('local.gone')}</Notice>}
        <Cards view={view} act={act} asked={link.asked()} />
      </main>
      <Toasts messages={messages} label={texts('toasts.label')} dismissLabel={texts('common.dismiss')} />
    </>
  )
}

interface CardsProps {
  readonly view: LocalClientView
  readonly act: Act
  readonly asked: string
}

function Cards({ view, act, asked }: CardsProps) {
  const { server, refuse } = useAsked(asked, view)
  return (
    <>
      {server !== '' && <AskedCard {...{ view, server, act }} onRefuse={refuse} />}
      {view.sending !== null && <SendingCard sending={view.sending} accounts={view.accounts} act={act} />}
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <QueueCard view={view} act={act} />
          <HistoryCard view={view} act={act} />
        </div>
        <div className={styles['column']}>
          <SpeedCard rateMbps={view.rateMbps} unit={view.rateUnit} act={act} />
          <AccountsCard view={view} act={act} hasForm={server === ''} />
          {(view.accounts.length > 0 || view.watches.length > 0) && <WatchesCard view={view} act={act} />}
          <SettingsCard view={view} act={act} />
        </div>
      </div>
    </>
  )
}

function ClosedPage() {
  const texts = useTexts()
  return (
    <main className={styles['page']}>
      <StatePanel
        level={1}
        icon={<CircleOff size={40} />}
        title={texts('local.closed.title')}
        text={texts('local.closed.text')}
        actions={
          <code className={styles['command']} translate="no">
            {texts('local.closed.command')}
          </code>
        }
      />
    </main>
  )
}
