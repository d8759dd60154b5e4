import type { TransferWay } from '@godwit/contract'
import { Upload } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../../lib/use-media.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { StatePanel } from '../../../ui/state-panel.tsx'
import styles from './files.page.module.css'
import own from './first-steps.module.css'
import { FirstSteps } from './first-steps.tsx'

export interface EmptyFolderProps {
  readonly way: TransferWay | undefined
  readonly onPick: (way: TransferWay) => void
  readonly onMenu: (event: MouseEvent) => void
}

export function EmptyFolder({ way, onPick, onMenu }: EmptyFolderProps) {
  const texts = useTexts()
  const isRoomy = useMedia(ROOMY)
  return (
    <div className={classNames(styles['middle'], own['empty'])} onContextMenu={onMenu}>
      <StatePanel
        icon={<Upload size={28} />}
        title={texts('files.empty.title')}
        text={texts(emptyText(way, isRoomy))}
        actions={
          way !== undefined ? (
            <Button kind="solid" onClick={() => onPick(way)}>
              {texts(way === 'web' ? 'action.upload-files' : 'action.client-upload-files')}
            </Button>
          ) : undefined
        }
      />
      {way !== undefined && <FirstSteps />}
    </div>
  )
}

/** Nobody drops files onto a phone. */
function emptyText(way: TransferWay | undefined, isRoomy: boolean) {
  if (way === undefined) return 'files.empty.text-readonly'
  if (way === 'client') return 'files.empty.text-client'
  return isRoomy ? 'files.empty.text' : 'files.empty.text-phone'
}
