import type { TransferWay } from '@godwit/contract'
import { Upload } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
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

const EMPTY_TEXTS = { web: 'files.empty.text', client: 'files.empty.text-client' } as const

export function EmptyFolder({ way, onPick, onMenu }: EmptyFolderProps) {
  const texts = useTexts()
  return (
    <div className={classNames(styles['middle'], own['empty'])} onContextMenu={onMenu}>
      <StatePanel
        icon={<Upload size={28} />}
        title={texts('files.empty.title')}
        text={texts(way === undefined ? 'files.empty.text-readonly' : EMPTY_TEXTS[way])}
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
