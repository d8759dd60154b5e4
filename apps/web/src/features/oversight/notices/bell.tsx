import { Link } from '@tanstack/react-router'
import { Bell as BellIcon } from 'lucide-react'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import styles from './notices.module.css'
import { useUnread } from './notices-query.ts'

const SHOWN_MAX = 99

/** The way to the notices, with the number of unread ones. */
export function Bell() {
  const texts = useTexts()
  const unread = useUnread()
  const shown = unread > SHOWN_MAX ? `${SHOWN_MAX}+` : String(unread)
  const label = labelOf(unread, shown, texts)
  return (
    <Link to="/notification" className={styles['bell']} aria-label={label} title={label} data-testid="bell">
      <BellIcon size={20} aria-hidden="true" />
      {unread > 0 && (
        <span className={styles['count']} aria-hidden="true">
          {shown}
        </span>
      )}
    </Link>
  )
}

/** What is read aloud holds what is seen. */
function labelOf(unread: number, shown: string, texts: Texts): string {
  if (unread === 0) return texts('notices.bell')
  return unread > SHOWN_MAX ? texts('notices.bell.many', { shown }) : texts('notices.bell.unread', { count: unread })
}
