import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Reference } from '../../../ui/reference.tsx'
import styles from './shell.module.css'

const ICONS = { success: CircleCheck, info: Info, error: CircleAlert } as const

/** Every message since the page was opened, with what can still be taken back. */
export function MessageHistory({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts()
  const history = useStore(useServices().messages.history)
  return (
    <Drawer title={texts('messages.title')} closeLabel={texts('common.close')} onClose={onClose}>
      {history.length === 0 && <p>{texts('messages.empty')}</p>}
      <ul className={styles['history']}>
        {history.map(({ id, kind, text, at, action, reference }) => {
          const Icon = ICONS[kind]
          return (
            <li key={id}>
              <Icon size={18} aria-hidden="true" />
              <p>
                {text}
                <Reference text={reference} />
              </p>
              {action !== undefined && (
                <Button kind="quiet" onClick={action.run}>
                  {action.label}
                </Button>
              )}
              <time>{formatTime(Math.floor(at / 1000)).slice(11)}</time>
            </li>
          )
        })}
      </ul>
    </Drawer>
  )
}
