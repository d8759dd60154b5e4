import type { AdminUser } from '@godwit/contract'
import { Lock } from 'lucide-react'
import { useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Tag } from '../../../ui/tag.tsx'
import styles from './users.module.css'

/** Locked, invited, online or offline: by shape, word and colour. */
export function UserState({ locked, online, invitation }: Pick<AdminUser, 'locked' | 'online' | 'invitation'>) {
  const texts = useTexts()
  if (locked) {
    return (
      <Tag tone="bad">
        <Lock className={styles['lock']} size={12} aria-hidden="true" />
        {texts('users.state.locked')}
      </Tag>
    )
  }
  if (invitation !== null) return <Tag>{texts(`users.invited.${invitation}`)}</Tag>
  return (
    <span className={styles['state']}>
      <i className={classNames(styles['dot'], online && styles['on'])} aria-hidden="true" />
      {texts(online ? 'users.state.online' : 'users.state.offline')}
    </span>
  )
}
