import { Link } from '@tanstack/react-router'
import { Bell as BellIcon } from 'lucide-react'
import { useTexts } from '../../../lib/texts.tsx'
import styles from './notices.module.css'
import { useUnread } from './notices-query.ts'

const SHOWN_MAX = 99

/** The way to the notices, with the number of unread ones. */
export function Bell() {
  const texts = useTexts()
  const unread = useUnread()
  const label = unread === 0 ? texts('notices.bell') : texts('notices.bell.unread', { count: unread })
  return (
    <Link to="/notification" className={styles['bell']} aria-label={label} title={label} data-testid="bell">
      <BellIcon size={20} aria-hidden="true" />
      {unread > 0 && (
        <span className={styles['count']} aria-hidden="true">
          {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
        </span>
      )}
    </Link>
  )
}
