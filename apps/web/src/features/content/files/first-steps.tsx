import { hasPermission } from '@godwit/contract/permissions'
import { Ellipsis, FolderUp, Link2 } from 'lucide-react'
import { useState } from 'react'
import { readStored, writeStored } from '../../../lib/storage.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { Button } from '../../../ui/button.tsx'
import { useAccount } from '../../identity/auth/index.ts'
import styles from './first-steps.module.css'
import { useFolderAddress } from './folder-address.ts'
import { useLibrary } from './library.ts'

const SEEN = 'seen'

/** What to begin with, for whoever has no files yet; put away once, it never comes back to this person here. */
export function FirstSteps() {
  const texts = useTexts()
  const isRoomy = useMedia(ROOMY)
  const { user } = useAccount()
  const { isGroup, permission } = useLibrary()
  const { view } = useFolderAddress()
  const key = `godwit.first-steps.${user.id}`
  const [isSeen, setSeen] = useState(() => readStored(key) === SEEN)
  if (isSeen || isGroup || view.folder !== '/') return null
  const steps = [
    { text: texts(isRoomy ? 'first.upload' : 'first.upload-phone'), Icon: FolderUp },
    ...(hasPermission(permission, 'share') ? [{ text: texts('first.share'), Icon: Link2 }] : []),
    { text: texts(isRoomy ? 'first.more' : 'first.more-phone'), Icon: Ellipsis },
  ]
  return (
    <section className={styles['first']} aria-label={texts('first.title')} data-testid="first-steps">
      <ol className={styles['steps']}>
        {steps.map(({ text, Icon }) => (
          <li key={text} className={styles['step']}>
            <Icon size={20} aria-hidden="true" />
            {text}
          </li>
        ))}
      </ol>
      <Button
        kind="quiet"
        onClick={() => {
          writeStored(key, SEEN)
          setSeen(true)
        }}
      >
        {texts('first.dismiss')}
      </Button>
    </section>
  )
}
