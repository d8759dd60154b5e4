import { Ban, Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import styles from './drop-zone.module.css'
import { entriesOfDrop } from './sources.ts'

export interface DropZoneProps {
  /** Why nothing may be dropped here; undefined when it may. */
  readonly denied: string | undefined
  /** What else is good to know before letting go. */
  readonly hint?: string | undefined
  /** The folder under the pointer: a row of the list, else the one that is open. */
  readonly folderAt: (event: DragEvent) => string
  readonly labelOf: (folder: string) => string
  readonly onDrop: (folder: string, entries: readonly FileSystemEntry[]) => void
  readonly onDenied: (reason: string) => void
  readonly children: ReactNode
}

function bringsFiles(transfer: DataTransfer | null): boolean {
  return transfer !== null && transfer.types.includes('Files')
}

/** Takes files from the computer. Wherever on the page they fall, the browser never opens them in place of the page. */
export function DropZone({ denied, hint, folderAt, labelOf, onDrop, onDenied, children }: DropZoneProps) {
  const texts = useTexts()
  const [over, setOver] = useState<string>()
  useEffect(() => {
    const keepPage = (event: globalThis.DragEvent): void => {
      if (!bringsFiles(event.dataTransfer)) return
      event.preventDefault()
    }
    window.addEventListener('dragover', keepPage)
    window.addEventListener('drop', keepPage)
    return () => {
      window.removeEventListener('dragover', keepPage)
      window.removeEventListener('drop', keepPage)
    }
  }, [])
  const onDragOver = (event: DragEvent): void => {
    if (!bringsFiles(event.dataTransfer)) return
    event.preventDefault()
    // Also where it is refused: with 'none' no drop would arrive, and nobody would say why nothing happened.
    event.dataTransfer.dropEffect = 'copy'
    setOver(folderAt(event))
  }
  const onLeave = (event: DragEvent): void => {
    if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) setOver(undefined)
  }
  const onDropHere = (event: DragEvent): void => {
    setOver(undefined)
    if (!bringsFiles(event.dataTransfer)) return
    event.preventDefault()
    if (denied === undefined) onDrop(folderAt(event), entriesOfDrop(event.dataTransfer))
    else onDenied(denied)
  }
  return (
    <div
      className={styles['zone']}
      onDragEnter={onDragOver}
      onDragOver={onDragOver}
      onDragLeave={onLeave}
      onDrop={onDropHere}
      data-testid="drop-zone"
    >
      {children}
      {over !== undefined && (
        <div className={classNames(styles['overlay'], denied !== undefined && styles['denied'])}>
          <div className={styles['label']} role="status">
            {denied === undefined ? <Upload size={24} aria-hidden="true" /> : <Ban size={24} aria-hidden="true" />}
            <span>
              {denied ?? texts('drop.here', { folder: labelOf(over) })}
              {denied === undefined && hint !== undefined && <span className={styles['hint']}>{hint}</span>}
            </span>
          </div>
        </div>
      )}
    </div>
  )
}
