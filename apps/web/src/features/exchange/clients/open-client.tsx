import { clientAddress } from '@godwit/contract/exchange/client-address'
import { MonitorUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useSite } from '../../foundation/site/index.ts'
import styles from './clients.module.css'

/** A client that has not connected by then may not be there: no browser says whether an address had a program. */
const PATIENCE_MS = 8_000

/** Opens the installed client by its address, and says after a while what else may be the matter. */
export function OpenClient() {
  const texts = useTexts()
  const { clientPackages } = useSite()
  const [attempt, setAttempt] = useState(0)
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (attempt === 0) return
    setLate(false)
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [attempt])
  const late = clientPackages.length > 0 ? 'client.start.not-opened' : 'client.start.not-opened-none'
  return (
    <div className={styles['open']}>
      <Button kind="solid" onClick={() => setAttempt(attempt + 1)}>
        <MonitorUp size={18} aria-hidden="true" />
        {texts('client.start.open')}
      </Button>
      {/* A page that went to the address itself would ask whoever is uploading whether to leave, and some browsers show an error.
          A frame that may open nothing would not be let through to programs. */}
      {attempt > 0 && (
        <iframe
          key={attempt}
          hidden
          sandbox="allow-popups"
          title={texts('client.start.frame')}
          src={clientAddress(location.origin)}
        />
      )}
      {attempt > 0 && (
        <Notice kind={isLate ? 'warning' : 'info'}>{texts(isLate ? late : 'client.start.opening')}</Notice>
      )}
    </div>
  )
}
